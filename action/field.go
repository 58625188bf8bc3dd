package action

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// A field is an argument of an action, as the tags of a struct's field say it:
//
//	Answers []string `arg:"answers,choices" min:"2" max:"10" each:"55" doc:"what can be chosen"`
//
// arg is the name and further ones; without ",…" there are none. A pointer, or
// optional:"true", or a default makes it optional. min and max bound a number, a
// string's characters or a list's entries; each bounds the characters of every entry.
// values are the only ones it may have.
type field struct {
	index    int
	name     string
	aliases  []string
	kind     kind
	pointer  bool
	optional bool
	min, max int // as many, if bounded
	bounded  bool
	each     int
	values   []string
	standard string // what stands for none
	doc      string
}

// A kind is what an argument may be.
type kind string

const (
	textKind   kind = "string"
	numberKind kind = "integer"
	flagKind   kind = "boolean"
	listKind   kind = "array"
	roomKind   kind = "room"
	personKind kind = "person"
)

// A Room is an argument that names a room: #general, general, or an id. Without it the
// room of the message is meant.
type Room string

// A Person is an argument that names a person: @ada, <@123>, or an id.
type Person string

var kinds = map[reflect.Type]kind{
	reflect.TypeFor[string]():   textKind,
	reflect.TypeFor[int]():      numberKind,
	reflect.TypeFor[bool]():     flagKind,
	reflect.TypeFor[[]string](): listKind,
	reflect.TypeFor[Room]():     roomKind,
	reflect.TypeFor[Person]():   personKind,
}

// fieldsOf reads the tags of a struct. A struct that cannot be an action's arguments is
// a mistake in the program, and it panics.
func fieldsOf[A any]() []field {
	t := reflect.TypeFor[A]()
	var all []field
	for i := range t.NumField() {
		f, err := newField(i, t.Field(i))
		if err != nil {
			panic(fmt.Sprintf("%s.%s: %v", t, t.Field(i).Name, err))
		}
		all = append(all, f)
	}
	return all
}

func newField(index int, of reflect.StructField) (field, error) {
	names := strings.Split(of.Tag.Get("arg"), ",")
	f := field{
		index: index, name: names[0], aliases: names[1:],
		each: number(of.Tag.Get("each")), standard: of.Tag.Get("default"), doc: of.Tag.Get("doc"),
	}
	kindOf := of.Type
	if of.Type.Kind() == reflect.Pointer {
		f.pointer, kindOf = true, of.Type.Elem()
	}
	f.kind = kinds[kindOf]
	if f.name == "" || f.kind == "" {
		return f, fmt.Errorf("an argument needs a name and a type that can be read")
	}
	if values := of.Tag.Get("values"); values != "" {
		f.values = strings.Split(values, ",")
	}
	least, most := of.Tag.Get("min"), of.Tag.Get("max")
	f.min, f.max, f.bounded = number(least), number(most), least != "" || most != ""
	f.optional = f.pointer || f.standard != "" || of.Tag.Get("optional") == "true"
	return f, nil
}

func number(tag string) int {
	n, _ := strconv.Atoi(tag) // a tag that is no number is none
	return n
}

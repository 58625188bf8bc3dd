package extract

import "encoding/json"

// Object is the strict JSON of an object that a chat model wrote: with trailing and missing
// commas, other quotes or none, comments, raw newlines in strings. White space and comments
// may stand around it, nothing else. The message of an error tells the model what to correct.
func Object(src []byte) (json.RawMessage, error) {
	fields, err := lenientFields(src)
	if err != nil {
		return nil, err
	}
	return joinFields(fields), nil
}

package plan

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A Folder is where the files of plans are. People may edit them at any time; several
// processes that share a database have to share the folder too.
type Folder struct {
	dir string
	mu  sync.Mutex // one change at a time
}

// NewFolder is the folder at a path. It is made with the first plan.
func NewFolder(dir string) *Folder { return &Folder{dir: dir} }

// ErrNoPlan says that there is no plan of that name.
var ErrNoPlan = errors.New("there is no such plan")

// ErrBusy says that somebody changes a file all the time.
var ErrBusy = errors.New("the file is being changed by somebody else; try again when they have finished")

// A File is a plan in the folder.
type File struct {
	Name string
	*Document
}

// namePattern is what the files of plans are called: the id, and words that nobody relies on.
var namePattern = regexp.MustCompile(`^plan-([0-9]{3}|[1-9][0-9]{3,8})(?:-[^/\\]*)?\.md$`)

// longestFile is how long a plan may be.
const longestFile = 1 << 20

// Number reads which plan is meant by plan-001, 001, 1, or the name of its file; 0 if it is
// none of those.
func Number(text string) int {
	text = strings.ToLower(strings.TrimSpace(text))
	if found := namePattern.FindStringSubmatch(text); found != nil {
		text = found[1]
	} else if found := namePattern.FindStringSubmatch(text + ".md"); found != nil {
		text = found[1]
	}
	text = strings.TrimPrefix(strings.TrimPrefix(text, "plan-"), "#")
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 999_999_999 {
		return 0
	}
	return n
}

// open opens the folder. What is done in it cannot lead out of it, whatever links are there.
func (f *Folder) open(write bool) (*os.Root, error) {
	if write {
		if err := os.MkdirAll(f.dir, 0o700); err != nil {
			return nil, fmt.Errorf("make the folder of plans: %w", err)
		}
	}
	root, err := os.OpenRoot(f.dir)
	if err != nil {
		return nil, fmt.Errorf("open the folder of plans: %w", err)
	}
	return root, nil
}

// names are the files of plans by their numbers.
func (f *Folder) names(root *os.Root) (map[int][]string, error) {
	dir, err := root.Open(".")
	if err != nil {
		return nil, fmt.Errorf("read the folder of plans: %w", err)
	}
	defer dir.Close()
	entries, err := dir.ReadDir(-1)
	if err != nil {
		return nil, fmt.Errorf("read the folder of plans: %w", err)
	}
	all := map[int][]string{}
	for _, e := range entries {
		if found := namePattern.FindStringSubmatch(e.Name()); found != nil && !e.IsDir() {
			if n, err := strconv.Atoi(found[1]); err == nil && n > 0 {
				all[n] = append(all[n], e.Name())
			}
		}
	}
	return all, nil
}

// List are the plans by their numbers, and what is wrong with the files that are none.
func (f *Folder) List() (files []*File, wrong []error, err error) {
	root, err := f.open(false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	names, err := f.names(root)
	if err != nil {
		return nil, nil, err
	}
	var numbers []int
	for n := range names {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	for _, n := range numbers {
		file, err := read(root, n, names[n])
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		files = append(files, file)
	}
	return files, wrong, nil
}

// Last is the highest number that a file has.
func (f *Folder) Last() (int, error) {
	root, err := f.open(false)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer root.Close()
	names, err := f.names(root)
	last := 0
	for n := range names {
		last = max(last, n)
	}
	return last, err
}

// Read reads the plan with a number.
func (f *Folder) Read(number int) (*File, error) {
	root, err := f.open(false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoPlan
	}
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return f.read(root, number)
}

func (f *Folder) read(root *os.Root, number int) (*File, error) {
	names, err := f.names(root)
	if err != nil {
		return nil, err
	}
	return read(root, number, names[number])
}

// read reads the plan that is in one of some files, which should be one.
func read(root *os.Root, number int, names []string) (*File, error) {
	if len(names) == 0 {
		return nil, ErrNoPlan
	}
	if len(names) > 1 {
		slices.Sort(names)
		return nil, &Problem{File: names[1], Line: 1, What: fmt.Sprintf("%s is a file of %s too", names[0], IDOf(number)), Do: "give one of them another number, in its name and in its header"}
	}
	text, err := readText(root, names[0])
	if err != nil {
		return nil, err
	}
	d, err := Parse(text)
	if err != nil {
		return nil, inFile(names[0], err)
	}
	if d.ID() != IDOf(number) {
		return nil, &Problem{File: names[0], Line: 2, What: "the id in its header is " + d.ID(), Do: "write " + IDOf(number) + " there, or rename the file"}
	}
	return &File{names[0], d}, nil
}

func readText(root *os.Root, name string) (string, error) {
	info, err := root.Stat(name)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", name, err)
	}
	if !info.Mode().IsRegular() || info.Size() > longestFile {
		return "", &Problem{File: name, Line: 1, What: "it is no file of at most a megabyte", Do: "put a plan there"}
	}
	text, err := root.ReadFile(name)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", name, err)
	}
	return string(text), nil
}

func inFile(name string, err error) error {
	var p *Problem
	if errors.As(err, &p) {
		named := *p
		named.File = name
		return &named
	}
	return err
}

// Create writes a plan that is not there yet; if it is, that one is left as it is.
func (f *Folder) Create(number int, d *Document) (*File, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	root, err := f.open(true)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if file, err := f.read(root, number); !errors.Is(err, ErrNoPlan) {
		return file, err
	}
	file := &File{d.ID() + "-" + slug(d.Title()) + ".md", d}
	return file, replace(root, file.Name, d.String(), "")
}

// changes is how often a change is tried when somebody else changes the file meanwhile.
const changes = 5

// Change changes a plan. Where a person has saved the file meanwhile, change is called
// again with what they have written.
func (f *Folder) Change(number int, change func(*Document) error) (*File, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	root, err := f.open(false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoPlan
	}
	if err != nil {
		return nil, err
	}
	defer root.Close()
	for range changes {
		file, err := f.read(root, number)
		if err != nil {
			return nil, err
		}
		before := file.String()
		if err := change(file.Document); err != nil {
			return nil, err
		}
		if file.String() == before {
			return file, nil
		}
		if err = replace(root, file.Name, file.String(), before); !errors.Is(err, errChanged) {
			return file, err
		}
	}
	return nil, ErrBusy
}

// Path is where the file of a plan is, for a person to open.
func (f *Folder) Path(file *File) string { return filepath.Join(f.dir, file.Name) }

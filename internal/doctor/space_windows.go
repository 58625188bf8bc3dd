package doctor

import "golang.org/x/sys/windows"

// freeSpace is how many bytes this user can still write to a directory's disk.
func freeSpace(dir string) (free uint64, known bool) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, false
	}
	if err := windows.GetDiskFreeSpaceEx(name, &free, nil, nil); err != nil {
		return 0, false
	}
	return free, true
}

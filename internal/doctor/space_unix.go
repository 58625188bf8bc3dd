//go:build linux || darwin || freebsd

package doctor

import "golang.org/x/sys/unix"

// freeSpace is how many bytes this user can still write to a directory's disk.
func freeSpace(dir string) (free uint64, known bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, false
	}
	return uint64(s.Bavail) * uint64(s.Bsize), true
}

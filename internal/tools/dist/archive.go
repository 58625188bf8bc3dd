package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"
)

// A file of a package.
type file struct {
	name string // in the package
	path string // on this machine
	mode fs.FileMode
}

// writeTar writes files in the order given, as if they belonged to nobody and were
// all changed at the same time.
func writeTar(out io.Writer, files []file, at time.Time) error {
	compressed, err := gzip.NewWriterLevel(out, gzip.BestCompression)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(compressed)
	for _, f := range files {
		body, err := os.ReadFile(f.path)
		if err != nil {
			return err
		}
		header := &tar.Header{
			Typeflag: tar.TypeReg, Name: f.name, Mode: int64(f.mode), Size: int64(len(body)), ModTime: at,
			Format: tar.FormatUSTAR,
		}
		if err := archive.WriteHeader(header); err != nil {
			return err
		}
		if _, err := archive.Write(body); err != nil {
			return err
		}
	}
	return errors.Join(archive.Close(), compressed.Close())
}

func writeZip(out io.Writer, files []file, at time.Time) error {
	archive := zip.NewWriter(out)
	for _, f := range files {
		body, err := os.ReadFile(f.path)
		if err != nil {
			return err
		}
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: at}
		header.SetMode(f.mode)
		w, err := archive.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := w.Write(body); err != nil {
			return err
		}
	}
	return archive.Close()
}

package speech

import "bytes"

// soundOf is the usual suffix of the kind of sound that the bytes begin like, or "" if they
// are none: an error in words, or a program that wrote nothing.
func soundOf(data []byte) string {
	switch {
	case len(data) < 12:
		return ""
	case bytes.HasPrefix(data, []byte("OggS")):
		return "ogg"
	case bytes.HasPrefix(data, []byte("RIFF")) && string(data[8:12]) == "WAVE":
		return "wav"
	case bytes.HasPrefix(data, []byte("fLaC")):
		return "flac"
	case bytes.HasPrefix(data, []byte("ID3")), isFrame(data):
		return "mp3"
	}
	return ""
}

// isFrame tells whether data begins with the header of an MP3 frame: eleven bits that are
// set, layer three, and no version, bit rate or sampling rate that does not exist.
func isFrame(data []byte) bool {
	version, layer := data[1]>>3&3, data[1]>>1&3
	rate, sampling := data[2]>>4, data[2]>>2&3
	return data[0] == 0xff && data[1]&0xe0 == 0xe0 && version != 1 && layer == 1 && rate != 15 && sampling != 3
}

package forum

// Digest is what is stored of a starter.
var Digest = digest

//go:build !unix

package main

import "context"

func (b *bench) postgres(context.Context) error {
	b.add(unmeasured("messages on PostgreSQL", "", "only Unix has a server for it"))
	return nil
}

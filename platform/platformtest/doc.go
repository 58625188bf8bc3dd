// Package platformtest is the suite that every platform adapter passes. An
// adapter's test supplies a Harness, which starts a fake server that speaks the
// platform's real protocol, and calls Run:
//
//	func TestPlatform(t *testing.T) {
//		platformtest.Run(t, platformtest.Harness{
//			Start: startFakeServer,
//			Edit:  platformtest.Can,
//			...
//		})
//	}
//
// For an adapter's own tests there are a Clock, a Bookmark, an Inbox and a Log.
//
// It imports platform and the standard library only. Before changing it, know that
// nothing here may depend on time: a check waits for what must happen, with a
// deadline that only a broken adapter meets, and what must not happen is looked
// for when something later has happened. broken_test.go has an adapter for every
// mistake the suite is to catch; a new check needs a new one there.
package platformtest

package operator_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/operator"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// knock has somebody ask to be let in.
func (a *aside) knock(t *testing.T, person, name, code string) {
	t.Helper()
	m := platform.Message{Room: platform.Room{Platform: "telegram", ID: "dm"}, Author: platform.Person{ID: person, Name: name}, Direct: true}
	if fresh, err := a.store.Knock(t.Context(), m, code, time.Hour, 10); err != nil || !fresh {
		t.Fatalf("%v, %v", fresh, err)
	}
}

func TestPeopleAreLetInTheSameWayHereAndThere(t *testing.T) {
	a := newAside(t)
	remote := operator.Remote{Address: a.server.Listener.Addr().String(), Token: token, Client: http.DefaultClient}
	for name, o := range map[string]operator.Operator{"local": operator.Local{Store: a.store}, "remote": remote} {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			ada, bob := "1"+name, "2"+name
			a.knock(t, ada, "<b>Ada</b>", "ADA2"+name[:1])
			a.knock(t, bob, "Bob", "BOB2"+name[:1])
			find := func(person string) operator.Pairing {
				t.Helper()
				all, err := o.Pairings(ctx)
				if err != nil {
					t.Fatal(err)
				}
				for _, p := range all {
					if p.Person == person {
						return p
					}
				}
				return operator.Pairing{}
			}
			if p := find("telegram/" + ada); p.State != store.PairingPending || p.Name != "<b>Ada</b>" || p.Code == "" || p.Expires == nil || p.Platform != "telegram" {
				t.Errorf("waiting is %+v", p)
			}
			for _, code := range []string{"NOBODY22", "", "../dead"} {
				if _, err := o.Approve(ctx, code); err == nil {
					t.Errorf("%q was approved", code)
				}
			}
			if err := o.Revoke(ctx, "telegram/"+ada); !errors.Is(err, operator.ErrNoSuchPerson) {
				t.Errorf("revoking somebody who waits: %v", err)
			}
			for _, person := range []string{"", "ada", "telegram/", "/1"} {
				if err := o.Revoke(ctx, person); !errors.Is(err, operator.ErrPerson) {
					t.Errorf("revoking %q: %v", person, err)
				}
			}
		})
	}
}

func TestACodeIsApprovedOrDeniedOnceHoweverItIsTyped(t *testing.T) {
	a := newAside(t)
	remote := operator.Remote{Address: a.server.Listener.Addr().String(), Token: token, Client: http.DefaultClient}
	for name, o := range map[string]operator.Operator{"local": operator.Local{Store: a.store}, "remote": remote} {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			ada, bob := "telegram/ada-"+name, "telegram/bob-"+name
			codes := map[string][2]string{"local": {"ABCD2345", "EFGH2345"}, "remote": {"JKLM2345", "NPQR2345"}}[name]
			a.knock(t, "ada-"+name, "Ada", codes[0])
			a.knock(t, "bob-"+name, "Bob", codes[1])
			p, err := o.Approve(ctx, " "+strings.ToLower(codes[0])+"\n")
			if err != nil || p.Person != ada || p.State != store.PairingApproved || p.Code != "" {
				t.Fatalf("approved is %+v, %v", p, err)
			}
			if _, err := o.Approve(ctx, codes[0]); !errors.Is(err, operator.ErrNoSuchCode) {
				t.Errorf("the second time: %v", err)
			}
			if p, err := o.Deny(ctx, strings.ToLower(codes[1])); err != nil || p.Person != bob || p.State != store.PairingDenied {
				t.Errorf("denied is %+v, %v", p, err)
			}
			if _, err := o.Approve(ctx, codes[1]); !errors.Is(err, operator.ErrNoSuchCode) {
				t.Errorf("approving after denying: %v", err)
			}
			for person, want := range map[string]bool{"ada-" + name: true, "bob-" + name: false} {
				if in, err := a.store.Approved(ctx, "telegram", person); in != want || err != nil {
					t.Errorf("%s is in: %v, %v", person, in, err)
				}
			}
			if err := o.Revoke(ctx, ada); err != nil {
				t.Error(err)
			}
			if in, err := a.store.Approved(ctx, "telegram", "ada-"+name); in || err != nil {
				t.Errorf("after revoking: %v, %v", in, err)
			}
		})
	}
}

// Whoever has not got the token lets nobody in, and neither does a page elsewhere.
func TestOnlyTheOperatorLetsPeopleIn(t *testing.T) {
	a := newAside(t)
	a.knock(t, "eve", "Eve", "EVES2345")
	for _, test := range []struct {
		name, method, path string
		headers            map[string]string
	}{
		{"without a token", http.MethodPost, "/api/v1/pairing/EVES2345/approve", nil},
		{"with a wrong token", http.MethodPost, "/api/v1/pairing/EVES2345/approve", map[string]string{"Authorization": "Bearer EVES2345"}},
		{"from a page elsewhere", http.MethodPost, "/api/v1/pairing/EVES2345/approve", map[string]string{"Authorization": "Bearer " + token, "Origin": "https://evil.example"}},
		{"as a picture", http.MethodGet, "/api/v1/pairing/EVES2345/approve", map[string]string{"Authorization": "Bearer " + token}},
		{"by looking who waits", http.MethodGet, "/api/v1/pairing", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, err := http.NewRequestWithContext(t.Context(), test.method, a.server.URL+test.path, nil)
			if err != nil {
				t.Fatal(err)
			}
			for name, value := range test.headers {
				r.Header.Set(name, value)
			}
			answer, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			answer.Body.Close()
			if answer.StatusCode < 400 {
				t.Errorf("the answer is %s", answer.Status)
			}
			if in, err := a.store.Approved(t.Context(), "telegram", "eve"); in || err != nil {
				t.Errorf("eve is in: %v, %v", in, err)
			}
		})
	}
}

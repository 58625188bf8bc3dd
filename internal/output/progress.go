package output

import (
	"regexp"
	"strings"
	"unicode"
)

// What is under way is told in few forms, and only those that promise something for this
// very moment count. Whoever waits for the person, or for tomorrow, has answered.

// work are the verbs that a reply can be about to do. Those with which answers begin
// ("let me explain", "let me start by saying") are not among them.
const work = `look|check|investigat|dig|search|find out|read|review|analy[sz]|run|start (on|now|right away|work|look)|try (again|that|this|it|another|a different|to (find|fix|run|get|reproduce))|fetch|pull|examin|inspect|go (through|over)|work|continu|proceed|take a( closer| quick)? look|have a( closer| quick)? look|see (what|if|why|whether)|writ|updat|creat|build|test|fix|implement|open|gather|collect|compil|prepar|verif|query|explor|compar|download|scan|debug|trac|figure|do (that|this|it) now|get (started|right on|on it)|process|draft|install|refactor|summari[sz]|translat|comput|calculat|load|generat|render|deploy|retry|convert|double[- ]check`

var (
	opening = `^((ok(ay)?|sure( thing)?|alright|all right|right|great|got it|understood|certainly|of course|absolutely|no problem|yes|good|perfect|thanks|so|now|next|first|then)[,.!:—– -]+)*`

	intends  = regexp.MustCompile(opening + `(i'll|i will|i'm going to|i am going to|i'm about to|let me|we'll|going to|allow me to) (now |first |next |quickly |just |also |then |go and |have to )*(` + work + `)`)
	doing    = regexp.MustCompile(opening + `(i'm|i am|we're|we are) (now |still |currently |just |right now |already )*(` + work + `)\w*ing\b`)
	bare     = regexp.MustCompile(opening + `(still |now |currently )*(think|` + work + `)\w*ing\b.*(…|\b(now|on it|into it|on that|right away))[.!…]*$`)
	patience = regexp.MustCompile(opening + `((i'm )?on it|one (moment|second|sec|minute)|just a (moment|second|sec|minute)|give me a (moment|second|sec|minute|bit)|hang on|hold on|please wait|stand by|bear with me|in progress|work in progress|more (to come|soon))\b`)

	task    = `(the |this |my |your |our )?(\w+ )?(build|tests?|test suite|job|task|migration|download|upload|deploy(ment)?|import|export|install(ation)?|analysis|search|work|compilation|backup|scan|process)`
	notYet  = regexp.MustCompile(`\b` + task + ` (is|are|was|has|have) ?(n't|not) (been |quite |fully )?(complete|completed|done|finished|ready|over|through)\b.*\byet\b`)
	still   = regexp.MustCompile(`\b` + task + ` (is|are) (still )?(running|in progress|under way|underway|building|being (built|run|processed))\b`)
	notDone = regexp.MustCompile(`\b(i'm|i am) not (done|finished|ready) yet\b|\bi (haven't|have not) (finished|completed)\b.*\byet\b`)

	// What makes a promise one that does not need to be kept now.
	someday = regexp.MustCompile(`\b(if|once|when|whenever|unless|as soon as|after|until)\b.*\b(you|your)\b|\b(you|your)\b.*\b(tell|ask|send|confirm|decide|want|like)\b|\b(tomorrow|tonight|later|next (week|month|time)|every (day|hour|week|morning|minute)|daily|weekly|hourly|on (mon|tues|wednes|thurs|fri|satur|sun)day|at \d|in \d+ (seconds?|minutes?|hours?|days?)|from now on|in (the )?future|(update|try|fix|find out|check in|test) (with )?(you|yourself)\b|back (with|to) you|started when)`)

	// What may stand before it: an acknowledgement, or what was done on the way.
	onTheWay = regexp.MustCompile(`^(i've|i have|i just|so far|that|this|it)\b[^:]*$`)
)

// underWay tells whether a sentence says that something is being done.
func underWay(sentence string) bool {
	if strings.Contains(sentence, ": ") {
		return false // it tells the result at once
	}
	for _, form := range []*regexp.Regexp{intends, doing, bare, patience, notYet, still, notDone} {
		if form.MatchString(sentence) {
			return !someday.MatchString(sentence)
		}
	}
	return false
}

// onlyProgress tells whether no sentence looks like an answer.
func onlyProgress(said []string) bool {
	for i, sentence := range said {
		first := i == 0 && strings.HasPrefix(sentence, "i")
		if !underWay(sentence) && !Acknowledges(sentence) && !(onTheWay.MatchString(sentence) && (first || i > 0)) {
			return false
		}
	}
	return true
}

// acknowledgement says that something was heard, and nothing more.
var acknowledgement = regexp.MustCompile(`^(ok(ay)?|k|done|all done|all set|noted|got it|great|fine|sure( thing)?|alright|all right|understood|certainly|of course|absolutely|no problem|will do|yes|yep|no|thanks|thank you|you're welcome|roger|ack|perfect|sounds good|good|right)([ ,]+(then|thanks|thank you|will do|boss))?$`)

const longestAcknowledgement = 40 // bytes

// Acknowledges tells whether a text says no more than that something was heard.
func Acknowledges(text string) bool {
	text = strings.TrimFunc(text, func(r rune) bool { return !isWord(r) })
	return len(text) <= longestAcknowledgement && (text == "" || acknowledgement.MatchString(plain.Replace(strings.ToLower(text))))
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// lessons are ways in which systems of this kind have failed their people, each with the
// tests that show that Aside does not: the folder of the test, its name, and behind a slash
// the case, where it is one of many.
var lessons = []struct {
	failure string
	tests   []string
}{
	// Reading replies.
	{"a marker that is cut in two is shown, or what it says is lost", []string{
		"extract.TestLaw1ChunkingDoesNotMatter", "extract.TestLaw3NothingRawFlashesBy", "cmd/aside.TestDiscordShowsNoRawMarkupAtAnyMoment",
		"cmd/aside.TestDiscordAnEnvelopeThatArrivesByteByByteShowsItsTextAndNothingElse", "internal/turn.TestOfACharacterThatIsCutNothingIsShown",
		"extract.TestCorpus/a marker cut by a chunk boundary is shown to people, or the call is lost: every dialect in one reply",
	}},
	{"the end of the stream repeats what was said", []string{"extract.TestCorpus/an end-of-stream flush repeats arguments already emitted: a block without its closing tag runs once"}},
	{"a bracket in an attribute loses the instruction", []string{"extract.TestCorpus/> inside an attribute loses the directive"}},
	{"a name that begins like another one runs that one", []string{"extract.TestCorpus/<send-file-later/> runs send-file", "action.TestANameIsFoundExactlyOrNotAtAll"}},
	{"an example in backticks is carried out", []string{"extract.TestCorpus/examples in backticks are executed: directives", "internal/turn.TestWhatIsTakenOutLeavesCodeAsItWas"}},
	{"a stray backtick hides what is meant", []string{"extract.TestCorpus/one stray backtick hides real instructions"}},
	{"what is indented under a list is taken for code", []string{"extract.TestCorpus/a block indented under a list item is taken for code and shown raw"}},
	{"sloppy JSON disappears without a word", []string{
		"extract.TestLenientRepairsDamage", "extract.TestCorpus/the action disappears without a word: trailing comma", "extract.TestCorpus/the action disappears without a word: a truncated object",
		"internal/turn.TestWhatWentWrongIsToldToTheModelAndBrieflyToThePerson/an instruction that cannot be read",
	}},
	{"the sign for no reply is posted", []string{"extract.TestCorpus/<actions> then <no-reply/>: the marker itself is posted"}},
	{"what stands before an instruction is thrown away", []string{"extract.TestCorpus/text and directives before a tool call are thrown away", "extract.TestLaw2NoByteIsLost"}},
	{"a brace in a text loses the action", []string{
		"extract.TestCorpus/a JSON envelope with a brace in its text loses its action", "internal/turn.TestAnEnvelopeThatArrivesByteByByteShowsItsTextAndNothingElse/with a keyword in the middle",
		"cmd/aside.TestAReplyWrittenAsTheTemplateSaysIsRead",
	}},
	{"a word inside another one counts", []string{
		"extract.TestCorpus/UNMUTE_ROOM runs MUTE_ROOM", "extract.TestCorpus/do NOT respond is read as RESPOND", "internal/turn.TestTheVerdictIsOneWordAndNothingElse",
		"internal/turn.TestAnEnvelopeDoesWhatItSays/a name that only resembles one is none", "internal/turn.TestAnEnvelopeDoesWhatItSays/not to respond is said in words", "action.TestANameIsFoundExactlyOrNotAtAll",
	}},
	{"no name at all runs the first action", []string{
		"extract.TestCorpus/an empty action runs the first action of the list", "action.TestANameIsFoundExactlyOrNotAtAll", "action.TestANameHasALetter", "internal/turn.TestAnEnvelopeDoesWhatItSays/an empty action is none",
	}},
	{"words without actions are dropped", []string{
		"extract.TestCorpus/a reply with text but no action list is dropped", "internal/turn.TestAnEnvelopeDoesWhatItSays/no action is a plain reply", "internal/turn.TestAnEnvelopeDoesWhatItSays/a response without actions",
	}},
	{"a yes is taken for a sign to the program, and nobody reads it", []string{"internal/turn.TestAnEnvelopeDoesWhatItSays/a bare yes is the answer"}},
	{"what one action found the next one does not know", []string{"internal/turn.TestAnActionOfAListSeesWhatCameOfThoseBeforeIt", "internal/turn.TestAnActionOfAListSeesWhatCameBeforeACrash"}},
	{"of two signals one is kept, or half of one", []string{"extract.TestCorpus/[REMEMBER:a][REMEMBER:b] keeps only a", "extract.TestCorpus/[REMEMBER:list [1,2] ok] keeps half", "internal/turn.TestWhatBecomesOfEachSignal/two signals are two", "internal/turn.TestWhatBecomesOfEachSignal/REMEMBER keeps a fact while the reply stays"}},
	{"a signal that does not end takes the rest with it", []string{"extract.TestCorpus/an unclosed signal swallows the rest of the reply", "internal/turn.TestWhatBecomesOfEachSignal/REMEMBER that does not close is text, and so is what follows"}},
	{"the whole reply is read again at each piece of it", []string{"extract.TestLaw6MemoryIsBounded", "extract.TestLenientTakesLinearTime", "extract.TestCorpus/re-reading the whole reply on every delta: a reply full of false starts"}},

	// Remembering and computing.
	{"a new memory makes room for itself while the person reads that it was remembered", []string{"internal/memory.TestTheLeastUsedMakesRoomAndNeverTheNewest"}},
	{"summarising throws the transcript away: of a thousand messages four lines are left", []string{
		"internal/episode.TestAThousandMessagesStayAndAreFoundWordForWord", "internal/turn.TestALongConversationIsFoldedIntoASummaryAndKept", "internal/turn.TestASummaryThatFailsLosesNothing",
		"cmd/aside.TestDiscordAPastConversationIsFoundAgain",
	}},
	{"success is reported for what did nothing", []string{"cmd/aside.TestDiscordEveryActionEndsInEveryWayItCan", "catalogue/tools.TestCalculateSaysTheResultOrWhatIsWrong", "catalogue/tools/arithmetic.TestWhatPeopleWriteComesOutAsTheyExpect"}},
	{"CALCULATE, COMMAND and EXECUTE only print that they were completed", []string{
		"internal/turn.TestWhatBecomesOfEachSignal", "cmd/aside.TestSignalsOnTheWebPage", "internal/turn.TestTheLastPostIsDeletedOnceItIsConfirmed", "internal/turn.TestTheMessageBeforeIsPinnedWhoeverWroteIt",
		"internal/turn.TestAClearedConversationIsInNoLaterPromptButStillStored", "internal/turn.TestTheConversationIsSummarisedByTheModelForIt",
	}},

	// In.
	{"the platform is told that something was received before it is stored", []string{
		"internal/inbox.TestAMessageThatCannotBeStoredIsNotReceived", "platform/discord.TestAMessageThatIsNotStoredIsTriedAgain", "platform/telegram.TestWhatIsNotStoredIsNotConfirmed",
		"platform/slack.TestNothingIsAcknowledgedThatWasNotStored", "platform/slack.TestARequestWhoseMessageCannotBeStoredIsNotAnsweredWithSuccess", "platform/web.TestAMessageThatCannotBeStoredIsNotAccepted",
		"platform/platformtest.Run/received is told only after the inbox has stored it",
	}},
	{"after a restart old messages are answered again", []string{"cmd/aside.TestARestartDoesNotAnswerOldMessagesAgain", "platform/telegram.TestARestartNeitherLosesNorRepeats"}},
	{"one place has two names, and a message is taken for two", []string{"platform/telegram.TestAChatHasOneNameHoweverItIsWritten", "platform/telegram.TestAGroupThatBecomesASupergroupIsFollowed", "cmd/aside.TestSlackAnEventThatComesThreeTimesIsOneTurn"}},
	{"what was received is forgotten sooner than it may come again", []string{"internal/store.TestAMessageIsKnownAgainHoweverMuchCameSince", "internal/store.TestAMessageIsStoredOnceHoweverOftenItComes"}},
	{"connecting overwrites since when there is something to catch up with", []string{
		"platform/discord.TestWhatWasWrittenWhileItWasStoppedArrives", "platform/discord.TestAnOutageThatOutlastsTheProgramIsCaughtUpWith", "platform/slack.TestWhatWasWrittenWhileNobodyWasConnectedIsFetched",
		"platform/platformtest.Run/reconnecting after the connection drops loses nothing",
	}},
	{"direct chats are left out when catching up", []string{"platform/discord.TestADirectChatOfSomeoneAllowedIsFoundThoughItIsNew", "cmd/aside.TestSlackWhatWasWrittenInTheMeantimeIsAnswered"}},
	{"what a person changes is not heard", []string{"cmd/aside.TestDiscordWhatIsChangedIsAnswered", "cmd/aside.TestTelegramAnEditIsHeard", "cmd/aside.TestSlackAnEditIsHeard"}},
	{"two messages at once start two conversations", []string{"internal/queue.TestTurnsOfASessionRunInOrderAndNeverOverlap", "cmd/aside.TestDiscordABurstIsAnsweredInOrderAndOnce"}},
	{"two bots answer each other for ever", []string{"internal/turn.TestTwoBotsDoNotAnswerEachOtherForEver", "internal/inbox.TestABotIsNotAnswered"}},
	{"what several people wrote is answered to one of them", []string{"internal/store.TestMessagesOfDifferentPeopleAreNeverOne", "internal/turn.TestTwoPeopleWhoWriteAtOnceAreAnsweredEach"}},
	{"a connection is there and brings nothing for hours", []string{
		"platform/telegram.TestAConnectionThatBringsNothingIsGivenUp", "platform/discord.TestADeadConnectionIsNoticed", "platform/slack.TestAConnectionThatIsDeadWithoutKnowingItIsGivenUp",
	}},
	{"of a burst some messages are dropped, or answers never shown", []string{
		"cmd/aside.TestABurstOfFifteenMessagesGetsFifteenAnswersInOrder", "internal/turn.TestFifteenMessagesInABurstGetOneAnswerThatKnowsThemAll", "internal/store.TestNoMessageIsLostBetweenTwoBursts",
	}},
	{"what came in one batch is taken out of order", []string{"platform/telegram.TestAFailureInTheMiddleOfABatchLosesNothing", "platform/platformtest.Run/messages of a room arrive in order"}},

	// The queue.
	{"one slow turn holds up every other chat", []string{"internal/queue.TestASlowSessionDelaysNoOther", "cmd/aside.TestAStuckTurnDelaysNoOtherRoom"}},
	{"being asked to stop loses what is under way", []string{"cmd/aside.TestTorture/SIGTERM", "internal/turn.TestAStopInTheMiddleLosesNothing"}},
	{"the newest message is answered first", []string{"internal/store.TestTheTurnsOfASessionComeInOrder", "internal/turn.TestABurstGetsAnAnswerForEachMessageInOrder"}},
	{"what fails is taken off the list", []string{"internal/queue.TestATurnThatFailsIsTriedAgainAndTheNextWaits"}},
	{"a correction comes as the agent is done, and is dropped", []string{"internal/turn.TestACorrectionIsNotDroppedWhenTheAgentHasJustLeftItsLoop"}},
	{"what is continued is continued with nobody's rights", []string{"internal/turn.TestAContinuationCarriesTheSenderAndTheCounters"}},
	{"an old record is stored over a newer one", []string{"internal/store.TestAStageIsEnteredOnce", "internal/store.TestASummaryIsReplacedByWhoeverKnewTheLastOne", "internal/store.TestAReplyToATextThatWasReplacedIsNotStored"}},
	{"work is taken from somebody for being slow", []string{"internal/queue.TestTheSessionsOfASilentProcessAreTakenOver", "cmd/aside.TestWhatIsDeliveredToAProcessThatWasThoughtDeadIsNotStored"}},
	{"what was answered is answered again after a crash", []string{"internal/turn.TestATurnIsTakenUpFromEveryStage", "internal/turn.TestATurnIsTakenUpAfterAPostWhoseReceiptWasLost", "cmd/aside.TestTorture/kill -9"}},
	{"an earlier delivery passes for that of what is to come", []string{"internal/turn.TestAnEarlierDeliveryDoesNotEndATurnThatIsTakenUp"}},
	{"each start sends everything again", []string{"internal/turn.TestHoweverOftenItStartsNothingIsSentAgain"}},
	{"what was being sent is given up", []string{"internal/outbox.TestAContextThatEndsLeavesThePostInTheOutbox", "cmd/aside.TestTelegramKilledWhileItPosts", "cmd/aside.TestSlackKilledWhileAnAnswerIsOnItsWay"}},
	{"timers in memory are lost on restart", []string{
		"internal/later.TestATimerIsNotLostWithTheProcess", "internal/later.TestALoopDoesNotBeginAnewWithTheProcess", "cmd/aside.TestDiscordWhatWasPromisedIsKeptAcrossAKill",
	}},
	{"several processes do the same thing when it is due", []string{"internal/later.TestOfManyProcessesOneBegins", "cmd/aside.TestOfTwoProcessesOneDoesWhatIsDue"}},
	{"what waits for its time is forgotten at a restart", []string{"internal/queue.TestWhatWaitsAtARestartIsAnsweredOnceByTheNextProcess", "internal/turn.TestAPromptSurvivesARestart", "internal/turn.TestABurstIsAnsweredOnceAcrossARestart"}},

	// Out.
	{"sent means that nothing complained", []string{"internal/turn.TestAnAnswerThatIsRefusedIsADeadLetter", "cmd/aside.TestDiscordMarksTellHowItEnded", "platform/platformtest.Run/a refused post is Refused and says why"}},
	{"a filter eats short answers", []string{"internal/noise.TestCleanTakesOutWhatProgramsPrintAboutTheirWork/a result with a sign", "internal/noise.TestCleaningLeavesSomethingOfEverything", "internal/turn.TestAShortAnswerIsNotTakenForNothing"}},
	{"what is too long is cut off or lost", []string{
		"internal/turn.TestALongAnswerIsSplitAndEveryPartArrives", "internal/turn.TestALongAnswerThatIsShownAsItComesLosesNothing", "internal/turn.TestWhatWasMissedIsSplitLikeAnyAnswer",
		"internal/outbox.TestWhatAnActionSendsIsCutIntoPartsThatFitAndSentOnce", "platform.TestLawNothingIsLostOrAdded", "platform/slack.TestALongTextIsPostedAndEditedWhole",
	}},
	{"deferred output is not split at all", []string{"internal/later.TestALongAnswerOfADeferralIsSplit", "cmd/aside.TestDiscordADeferralIsDoneAndItsLongAnswerIsSplit"}},
	{"being asked to wait counts as a failure", []string{"internal/outbox.TestAPostIsTriedUntilAReceiptSettlesIt/it is asked to wait fifty times, which uses up nothing", "internal/turn.TestARoomThatAsksToWaitGetsTheAnswerLater"}},
	{"a second try sends the file again", []string{"internal/outbox.TestAFileIsSentOnceAndAsItWasTheFirstTime", "cmd/aside.TestAFileIsPostedOnceThoughTheProgramIsKilledAsSoonAsItStandsThere"}},
	{"dead letters of groups are dropped", []string{"cmd/aside.TestTelegramARefusedAnswerInAGroupIsADeadLetter"}},
	{"what was delivered without an id is sent again", []string{"internal/outbox.TestWhatIsDeliveredWithoutAnIDIsNotSentAgain"}},
	{"the platform's answer is lost, and there are two of the post", []string{
		"platform/discord.TestAPostIsMadeOnce", "platform/telegram.TestATextIsNeverDeliveredTwice", "platform/slack.TestAPostWhoseAnswerWasLostStandsThereOnce",
		"platform/platformtest.Run/a post whose answer was lost is Unknown, or delivered once",
	}},
	{"how long to wait is not heeded, or one room makes all others wait", []string{
		"platform/discord.TestLimitsAreKept", "platform/telegram.TestOneChatThatHasTooMuchHoldsUpNoOther", "platform/slack.TestALimitIsKeptToInItsChannelAlone",
		"platform/platformtest.Run/a rate-limited post is Limited and says how long to wait",
	}},
	{"when the way is free again a hundred old answers are sent", []string{"internal/outbox.TestARoomIsToldOnceOfWhatCameTooLate", "internal/turn.TestAnAnswerThatCameTooLateIsToldOfOnceAndShownWhenAskedFor"}},
	{"the model is told that something was sent that was not, and its answer is suppressed", []string{"internal/turn.TestTheModelIsToldThatASendFailedAndItsAnswerIsPosted"}},
	{"what a provider says is wrong is posted as it is", []string{"cmd/aside.TestWhatAProviderSaysIsWrongReachesNoRoom", "cmd/aside.TestAFaultOfTheModelThatStaysIsAnsweredInWordsForAPerson"}},
	{"it types for ever", []string{"internal/turn.TestTypingEndsWithTheTurn"}},
	{"a summary takes the place of what was said", []string{"internal/turn.TestALongConversationIsFoldedIntoASummaryAndKept"}},
	{"what was held back is lost", []string{"internal/turn.TestAHeldDraftIsNotLost", "cmd/aside.TestAStatusUpdateIsContinuedAcrossAKill"}},
	{"what is said where nothing can be edited is lost or said twice", []string{"internal/turn.TestWhereNothingCanBeEditedEverythingIsSaidOnceAndInOrder", "internal/turn.TestWhereNothingCanBeEditedACorrectionRepeatsNothing"}},
	{"a reply before the platform is connected is dropped", []string{"cmd/aside.TestWhatWasRepliedBeforeThePlatformIsConnectedIsDelivered"}},
	{"a reply points to a path that only the server has", []string{"internal/turn.TestAReplyDoesNotPointToAPathOnTheServer", "cmd/aside.TestAFileThatAReplyNamesIsSentAndItsPathIsNotShown"}},

	// Marks.
	{"whatever happens ends as success", []string{"internal/mark.TestEveryEndHasItsMark", "internal/mark.TestTheFinalMarkIsWhatHappened/the model failed, and an apology was delivered"}},
	{"an answer is taken for a status update and swallowed", []string{"internal/output.TestByRulesAReplyIsWhatItEndsWith/The capital of France is Paris.", "internal/turn.TestAStatusUpdateIsHeldBackAndContinued/an answer is not continued"}},
	{"a word alone decides what a reply is", []string{
		"internal/output.TestByRulesAReplyIsWhatItEndsWith/Fixed the crash", "internal/output.TestByRulesAReplyIsWhatItEndsWith/Non-blocking IO implemented",
		"internal/output.TestByRulesAReplyIsWhatItEndsWith/The build is not complete yet", "internal/output.TestByRulesNothingIsAnError",
	}},
	{"a platform does not take the emoji of a mark", []string{
		"internal/mark.TestGlyphsAreCheckedAgainstWhatEachPlatformTakes", "platform/telegram.TestEveryEmojiThatCanBeSentIsOneThatTelegramTakes", "platform/slack.TestEveryMarkCanBePutOnAMessage",
	}},
	{"a late mark takes the place of the final one", []string{"internal/mark.TestALateMarkNeverReplacesAFinalOne", "internal/mark.TestAProcessThatWasThoughtDeadReplacesNoFinalMark"}},
	{"eyes stand for hours on what nobody looks at", []string{"internal/mark.TestAMessageThatNobodyTakesUpSaysSoAndIsMended", "cmd/aside.TestAMessageOfADeadProcessIsNotLeftWithItsEyesOpen"}},

	// Actions.
	{"a field that nobody has checked reaches the platform", []string{"action.TestArgumentsAreReadLenientlyAndChecked", "action.TestLimitsAreSaid", "internal/discordtest.TestRequestsAreCheckedAgainstDiscordsDescription"}},
	{"the bot's rights are those of whoever asks", []string{"cmd/aside.TestDiscordNobodyWithoutTheRightGetsAChannelDeleted", "cmd/aside.TestSlackRightsAndConfirmation", "platform/telegram.TestWhoMayDoWhat"}},
	{"what was put off is done with rights that the person has lost", []string{"internal/later.TestWhoMayNotAnyMoreGetsNothingDoneAndTheListSaysWhy", "cmd/aside.TestDiscordWhoMayNotAnyMoreGetsNothingSaid"}},
	{"what a flow may not do it has another agent do", []string{"internal/later.TestWhatAFlowMayNotDoIsRefusedInIt"}},
	{"a failure is recorded as success", []string{"internal/later.TestADeferralThatFailsSaysSo", "internal/later.TestALoopThatFailsFiveTimesInARowPausesAndSaysSoOnce", "internal/spawn.TestWhatGoesWrongWithAnAgentIsAFailure"}},
	{"what may have happened is called a failure, and done again", []string{"internal/turn.TestWhatMayHaveHappenedIsNotCalledAFailure", "cmd/aside.TestDiscordActionsSurviveACrash", "cmd/aside.TestDiscordKilledBetweenTheLedgerAndTheEffect"}},
	{"a confirmation cannot be given, or is not asked for", []string{
		"internal/turn.TestSomethingDestructiveWaitsForThePersonWhoAsked", "cmd/aside.TestDiscordDestructiveActionsWaitForWhoAsked", "cmd/aside.TestTelegramIsConfirmedByAButton", "cmd/aside.TestSlackRightsAndConfirmation",
	}},
	{"what a job is told to do elsewhere takes the place of what came of its actions", []string{
		"cmd/aside.TestCronAJobRoutesItsRepliesAndKeepsItsOutcomes", "internal/turn.TestAReplyIsBroughtToItsRooms/with an instruction beside it",
	}},
	{"what was due while the program was down never happens", []string{
		"internal/cron.TestWhatWasDueWhileNobodyWasThereIsRunOnceOnReturn", "internal/cron.TestEveryRunOfAWeekInWhichClocksChangeHappensOnce",
	}},
	{"an interval begins anew with each start", []string{"internal/cron.TestAnIntervalIsNotBegunAnewByAStart"}},
	{"a job that is added beside a running program is not seen", []string{"internal/cron.TestAJobThatWasAddedBesideARunningProcessIsSeen", "cmd/aside.TestCronAJobIsMadeByAReplyAndRuns"}},
	{"a time zone is stored and ignored", []string{"internal/cron.TestWhenAJobIsDueWhereClocksChange", "internal/cron.TestDueTimesAreThoseOfAClockOnTheWall"}},
	{"what failed is recorded as done", []string{"internal/cron.TestFailuresAreNotRecordedAsDone", "cmd/aside.TestCronWhatARunMayNotDo"}},
	{"how far a plan is forged is known in memory only, and gone after a restart", []string{
		"cmd/aside.TestAForgeGoesOnWhereItWasKilled", "internal/forge.TestAStepWhoseEndIsNotCommittedIsEndedAgainAndChangesNothingMore", "cmd/aside.TestAForgeOfTwoProcessesOnPostgres",
	}},
	{"a word alone decides whether a draft is blocked", []string{
		"internal/forge.TestAVerdictIsReadFromWhateverAnAuditorWrites/no blocking concerns", "internal/forge.TestAVerdictIsReadFromWhateverAnAuditorWrites/non-blocking concerns",
		"internal/forge.TestAVerdictIsReadFromWhateverAnAuditorWrites/about blocking calls",
	}},
	{"a plan never has the status that its guards look for", []string{"internal/plan.TestAPlanThatIsBeingRunCanBeNeitherApprovedNorClosed", "cmd/aside.TestAPlanIsStoppedWhileItsPhaseRuns"}},
	{"saying yes to a plan changes its hash, and its phases are stale", []string{"internal/plan.TestApprovingAPlanDoesNotChangeItsHash", "internal/plan.TestApprovingAPlanKeepsWhatIsDone"}},
	{"the documentation shows what the code does not read", []string{"cmd/aside.TestTheActionsPageIsUpToDate", "cmd/aside.TestEveryActionSaysWhatItIs"}},
}

func TestEveryLessonHasItsTests(t *testing.T) {
	t.Parallel()
	folders := map[string]*folder{}
	for _, lesson := range lessons {
		if len(lesson.tests) == 0 {
			t.Errorf("nothing shows what becomes of this: %s", lesson.failure)
		}
		for _, name := range lesson.tests {
			path, test, _ := strings.Cut(name, ".")
			test, part, _ := strings.Cut(test, "/")
			if folders[path] == nil {
				folders[path] = readFolder(t, filepath.Join("../..", path))
			}
			in := folders[path]
			if !in.functions[test] {
				t.Errorf("%s: there is no %s in %s", lesson.failure, test, path)
			}
			if part != "" && !in.texts[part] {
				t.Errorf("%s: %s in %s has no case %q", lesson.failure, test, path, part)
			}
		}
	}
}

// A folder has functions, and cases by name.
type folder struct {
	functions map[string]bool
	texts     map[string]bool // every string in its code, and the headings of its test data
}

// readFolder reads the code in a folder, and the cases below testdata.
func readFolder(t *testing.T, path string) *folder {
	t.Helper()
	f := &folder{functions: map[string]bool{}, texts: map[string]bool{}}
	code, err := filepath.Glob(filepath.Join(path, "*.go"))
	if err != nil || len(code) == 0 {
		t.Fatalf("there is no code in %s: %v", path, err)
	}
	for _, name := range code {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				f.functions[n.Name.Name] = f.functions[n.Name.Name] || n.Recv == nil
			case *ast.BasicLit:
				if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
					f.texts[text] = true
				}
			}
			return true
		})
	}
	cases, err := filepath.Glob(filepath.Join(path, "testdata", "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range cases {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			if heading, ok := strings.CutPrefix(line, "=== "); ok {
				f.texts[strings.TrimSpace(heading)] = true
			}
		}
	}
	return f
}

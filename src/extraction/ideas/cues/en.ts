// English, the first-class language: how people and agents say that something was decided, found out, asked, broken,
// mended or left to do. The digit behind a group is its weight; `cue-matcher.ts` explains the patterns.

import type { CueTable } from '../cue-reader.ts';
import { enClasses } from './en-classes.ts';

export const en: CueTable = {
  classes: enClasses,
  cues: {
    decision4: `
      decided; ^decision|decisions ~first; final|our|my decision; decision is|was|made; my call; up my|our mind
      voted for|to|against; opted for|to|against; settled on; from now on; turned down; deliberately; on purpose
      intentionally; ^use * not; let's|lets just? go with; going with; went with; it's|is settled; @we agreed
      agreed that|to|on|upon; as agreed; changed|change my|our|your mind
    `,
    decision3: `
      left untouched|alone; left as is; left in place; final answer; go with; let's|lets stick|stay|keep|settle|use|skip|leave|avoid; let's|lets do it; that's|is final
      @we have? finally? chose|chosen|picked|selected; ^chose|picked|chosen; chosen approach|solution|option|design
      going|moving forward; as of today; in favor|favour of; sticking|staying with|to; stick with|to; by design
      ^always|never @do|use|run|put|commit|write|store|confirm|show|highlight|include; never use|put|commit|mock
      always use|run|put; then * it is; # it is; it is then
      option|plan|variant|approach|version a|b|c|d|one|two please
      we're|i'm not doing|supporting|going|building|adding; we|i are|am not doing|supporting|going|building|adding
      will not be supporting; won't support; trade-off accepted; plan|proposal|design approved; no longer supporting
      would rather; i'd|we'd rather|prefer; i|we prefer; per your preference|request; preference is
      we're|i'm moving off|away|to; we're|i'm replacing|switching|dropping|keeping|adopting|migrating|leaving
      we|i are|am replacing|switching|dropping|keeping|adopting|migrating|leaving|moving; deciding argument|factor
      it will be the; as requested by; house rule; our rule; out of scope; made the call; we|i ditched|abandoned
      committed to ~ing; ruled against; this decision; we|i need|want it to stay
    `,
    decision2: `
      we'll|i'll use|keep|stick|stay|go|leave|skip|avoid|rely|adopt|focus
      we|i will use|keep|stick|go|leave|skip|adopt; @we kept|left; we|i now use|keep
      stays|remains a|as|the|in|on|synchronous|optional|unchanged; instead of; rather than; chose; picked
      is|are limited|restricted|capped to; don't|dont add|use|put|touch|commit|mention|mock; do not add|use|put|touch
      we|i don't support|use|want|need; over #; for the first release|version|iteration; this quarter|sprint
      in this version|release|sprint; not worth the; will not be; in exchange for; is now * instead
      standardise|standardize on; must|should always|never; not allowed; ^skip|drop the|it|that; keep * as is
      the way to go; we|i would go with|for; best option|choice for; never @do; always @do; please don't; ^don't
      must not; when in doubt; we ship
    `,
    decision1: `
      because; since; rather; instead; prefer; preferred; choice; choose; convention; policy; final; for now; so that
      only
    `,
    conclusion4: `
      root cause; underlying cause|reason; actual|real|main|true reason|cause|culprit; culprit; turns|turned out
      did|does not help; @dont help|helped; made|makes|make no difference; no luck; dead end|ends; to no avail
      in vain; changed|changes nothing; @dont change anything; best guess; my guess|theory|hunch|hypothesis
      one possibility; @we suspect; key|main|core insight|takeaway|lesson|finding; this|it|that looks like
    `,
    conclusion3: `
      insight is|was; the|my takeaway; lesson here|learned|is; lessons learned; take away from; taught me|us
      @we have? learned|learnt|realised|realized|discovered|noticed|concluded
      ^realised|realized|learned|learnt|discovered; in short; in summary; in conclusion; bottom line; the upshot
      to sum up; in essence; in other words; tl dr; tldr; ^overall; long story short; ^therefore; ^thus; ^hence
      it follows that; @that means|implies that|the|we|it|every|each; means that
      this|that|which|it confirms|proves|shows|suggests|indicates|demonstrates that|the|how|only
      results|logs|profiler|trace|bisecting|numbers|measurements|data|benchmark|profiling shows|show|confirms|confirm|proves|prove|suggest|suggests|indicate|result|results
      shows|confirms|proves that; ^confirmed; confirmed that; @we verified|confirmed|measured that|on|the|with
      found it; found that|out; explained by; explains why; that's why; which is why; boils|comes|came down to
      stems|originates from; comes|come|came from the; is|are|was probably|likely|presumably|possibly
      probably|likely caused|due|because|related; ^maybe|perhaps|probably|possibly|presumably|likely @det
      maybe|perhaps it's|its|it|the|because; could|might|may be that|caused|due|related|because; ^could be; looks like
      this|it seems|appears; seems|appears that|to|like; no difference; same result|outcome|behaviour|behavior
      no effect; no improvement; nothing changed|helped; so it was|is|isn't|wasn't; so basically; as a result
      consequently; come to think|believe|realise|realize; what matters; the difference between|is
      is|are unavoidable|inevitable|equivalent; times faster|slower
      faster|slower|cheaper|safer|better|worse|simpler than
    `,
    conclusion2: `
      clearly; evidently; apparently; essentially; paid off; pays off; scale|scales linearly|well|with; outperforms
      saves|saved|save us|about|around|roughly|nearly; works|work better|best; is enough
      ^so the|it|we|this|each|every|only; never the; it was|wasn't the; the reason|cause; because of; due to
      caused by; responsible for; the answer is; in fact; in practice; went|dropped|fell|rose|grew|improved from
      percent of; on average; tried * but; @we tried; ^tried; only * when|if; has no effect; introduced the|a
      can never; @we now? think|believe; it depends on; not the * but; no evidence; nothing to do with
      suits|suited us|me; not because; it's important to; unrelated to
    `,
    conclusion1: `
      so; means; reason; cause; result; results; effectively; should be fine; actually; i think|believe; better; best
      enough; seems; in general; likely; important
    `,
    question4: `
      ^is|are there a|any|some; i wonder; wondering if|whether|how|why|what|which|about; any idea @which
      open question; question is|remains; need|want to know; @dont know|understand|remember @which; no idea @which
      let me know whether|which|what|how; let me know if you want|prefer|like|would; curious @which
      not|isn't sure @which; unclear to|@which; unsure @which; what do you think; wdyt
    `,
    question3: `
      ^why; ^how do|does|did|should|can|could|would|will|is|are|come|about|many|much|long|often|to; ^how's; ^hows
      ^what|whats is|are|was|were|do|does|did|should|would|could|can|about|if|happens|kind|time|type|else|made|exactly|happened|makes
      ^what's; ^when|where do|does|did|is|are|was|will|should|can|would|has|have
      ^who is|are|was|owns|else|has|will|did|does|can|should
      ^which one|of|is|are|do|does|should|would|version|file|way; ^which ~s? * do|does|did|should; ^whose
      ^any idea|ideas; ^@aux @det; ^@aux i|you|we|they|he|she|it; ^@aux #; ^is|are there
      ^any thoughts|chance|suggestions|tips|advice|preference|news; does|did anyone|anybody|someone; curious about
      uncertain @which; remains|thing|still open; is unclear; still don't know
      another|one|quick|main|remaining question; ^question|questions ~first; to be decided|determined|clarified; tbd
      tell|show me|us @which; ^tell|explain me|us|to|how|why|what; can|could|would|will you please? @tell
      do|did|would you want|prefer|like|mean|think|know|need|have|recommend|remember; want me to
      ^shall|should|may|can|could i|we; or not; your opinion; thoughts on; help me understand|decide|figure|choose
      you mean; what about; how about; what if; is it ok|okay|possible|safe|normal|worth|better|true|correct
      anything else; how can|do|should i|we|you
    `,
    question2: `
      how|what|why|whether|where do|does|did|is|are|can|could|would|should|will|to; asked whether|if|why|how|what
      which of; trying to understand|figure|decide|find|see; have you; can|could you|i|we; would you; ^so you
    `,
    question1: 'question; unsure; clarify; ask; why; whether; or; wonder',
    problem4: `
      keeps|keep|kept failing|crashing|hanging|breaking; doesn't|does|don't|do|didn't not? work; not working
      memory leak; race condition; data loss; infinite loop; having trouble|problems|issues; out of memory|space|date
      stack overflow
    `,
    problem3: `
      pre-existing change|changes|issue|issues|failure|failures|error|errors|problem|modifications|warning|warnings
      linter|formatter|compiler|biome|prettier|eslint|typescript|tsc|ruff|mypy|pylint|clippy|rustfmt|gofmt wants|expects|prefers|insists|complains
      still shows|displays|returns|points|refers|references|contains|uses the|a|an|old; never patched|updated|refreshed|persisted
      mixed|bundled|squashed|swept in|into|with|up; tabs vs|versus spaces; indentation mismatch|differs
      @fails when|on|if|with|at|because|after|in|for|to|that|the|it|whenever|before|from|while
      failed|crashed|hung|broke when|on|if|with|at|because|after|due|to
      @be|keeps|keep|still|are failing|crashing|hanging|leaking; ~error; @be|seems|appears|looks|got|gets|getting @bad
      down again
      the|a|one|another|main|real|biggest|only|same|serious|subtle|nasty @trouble is|was|with|here|that|when|because
      ^@trouble ~first
      there's|there|have|had|has|got|report|reports|reported|throws|hit|hits a|an|some|two|three @trouble
      has|have * issues|problems|bugs; hurts; been hurting; have|had trouble|problems|issues|difficulties
      cannot|can't|cant|couldn't|unable be|get|log|find|read|connect|load|open|start|build|import|access|reproduce|install|see|use|reach|run|undo|to
      i|we|they|nobody|one can't|cannot|cant; nobody can|knows; can not; no way to
      @dont respond|load|support|compile|start|show|appear|render|recognise|recognize|match|fire|handle|survive|scale|trigger|arrive|validate|sync
      nothing works|validates|checks|happens; stopped|stops working|responding; off by; run|running|ran out
      too slow|late|low|high|large|big|long|small|early|often|expensive|strict; painfully|terribly|unbearably
      exits|exited with; silently; get|gets|got|getting cut|lost|stuck|killed|blocked|rejected|duplicated|an
      i'm|am|are|we're|been|is struggling|worried|stuck|afraid|concerned|frustrated|fighting; refuses|refused to
      complained; returns|returned|shows|showed|gives|prints|renders|displays|comes|get|got * @bad
      returns|shows|gives|prints|renders|displays * instead of; @dont see; only catches|shows|checks|works|handles
      arrive|arrives|sent|fires|runs|called twice; contradict|contradicts; conflicts with; outdated
      leaves|left|leaving orphaned|behind|dangling
      never returns|removed|closed|released|called|freed|arrives|finishes|cleaned; regression; unfortunately
      ever since; plain text; attacker|attackers; still * even; even after|with; persists|persist
      keeps|keep|kept ~ing; hate|hates|hated that|it|this; limits us; killed by; we lost; missed|missing the deadline
      not supported; no longer exist|exists; would|will break; breaks the|all|when; times|timed out; swallows
      might|may be undefined|null; causes|causing|caused * @trouble|duplicate|fail|fails|crash; has|have|had @bad
      @be|seems|appears|looks|look|seem|got|gets @off; without checking|any; won't be
      is|are not documented|tested|validated|checked|set|populated|handled|covered
    `,
    problem2: `
      changes * unrelated; unrelated to my|our|this changes|change|task|work|edit|edits|fix; unstaged|uncommitted changes
      were|was using spaces|tabs; not from my|our|this; ^but; should only; prematurely; premature; wrongly; mistakenly; unrelated changes|files; noisy; leftover
      partial; complex; @trouble; @bad; @fails; fail; failed; crashed; broke; unable; cannot; can't; incorrectly
      unexpected; unexpectedly; timeout; timeouts; deadlock; vulnerable; duplicate; unused; lacks; denied; forbidden
      rejected; refused; complaining; lost; pain; blocked; blocking; twice; falsely; accidentally; shouldn't
      not found; enoent; enospc; eacces; econnrefused; @dont exist; diverge; overlap; overlaps; even though
      supposed to; but * not; limited to; degraded; struggle; struggling; worried; complain|complained|reported that
      has|have no; nervous; might make; doesn't; does not; isn't; aren't
    `,
    problem1: `
      not; but; old; again; worry; limit; limits; however; warnings; lose; negative; too; hard to; difficult; tough
      without; never; empty; null; undefined; blank; hidden
    `,
    solution4: `
      the real|actual|right|simplest|best fix|solution is|was|would; ^fixed|solved|resolved; ^fix|solution|workaround ~first; the fix|solution|workaround is|was|for; as a workaround
      fixed|solved|resolved|avoided by; did the trick; what helped; got it working; fixed|solved it|the|this|that
      no longer fails|fail|crashes|hangs|happens|occurs|blocks|breaks|leaks|appears|flickers|appear|shown|needed
    `,
    solution3: `
      the|a|simple|cleanest|easiest|proper|correct fix|workaround|remedy|trick
      fix|solution|workaround is|was|would|for; ^fix is|for|was; mitigated|prevented|repaired by|with|via|the|it
      workaround; work|works|worked around; get|gets|got|getting around|rid; way out|around; got * working
      @that fixed|fixes|solved|solves|resolved|resolves|helped|stops|stopped|prevents|avoids|unblocked; are|is gone
      went away; unblocked|unblocks; fix holds
      is|are|was|were|been fixed|solved|resolved|avoided|handled|mitigated|prevented; ^@changed
      ^~ed the|all|both|a|an|#|remaining|old|any; @we also? @changed; i|we have|also|then|just @changed
      have|has been @changed; now ~s; ~s now; are|is now @changed
      you|we|one can|could avoid|fix|solve|work|use|prevent|bypass|set|pass|run|add|disable|enable|try|wrap|force|silence
      to fix|avoid|solve|prevent|bypass|resolve|get @that|the|a|around
      can be fixed|solved|avoided|resolved|worked|done|prevented; by ~ing; @doing * @helps; ^~ing * @helps; managed to
      ended up ~ing; in the end was; came back; once the * @changed; with the * in place; a simple way
      works again|now; makes the|it * stable|faster|work; stops the; ^simply|just @do
    `,
    solution2: `
      solution; fix; fixed; fixes; solved; resolved; trick; helped; brings|brought|cuts|shrank down|to|the; down to
      @changed; successfully; restored; recover; recovered; make|makes sure; ensures; to avoid; to prevent; after ~ing
      if * use|set|start|run|try|pass|add; you can; is to @do; gets its own; is|are handled|avoided; works now
      fall back
    `,
    solution1: `
      use; using; now; via; adds; handles; supports; passes; wraps; so that; new; both; instead of; avoid; easily
      way to
    `,
    todo4: `
      todo; todos; fixme; to-do list|item|items|s; ^next step|steps; follow-up|ups; action item|items; remind me|us; @dont|not forget
      remaining work|items; what remains; what is left; deferred|postponed|parked until|for|to; yet to be
      still missing|pending|outstanding; remains to be; ^remaining|outstanding|deferred|pending|parked ~first
      ^parked|deferred for|until
    `,
    todo3: `
      ^test|check|verify|inspect|review manually; ^manually @do|inspect|test|verify|check|confirm|try
      cleaned|removed|addressed|handled|fixed|revisited|done up? later|separately|eventually
      need|needs|have|has|ought still? to @do|be|make; needs to; need to; have|has to; gotta; got to
      must be @changed|done|written; must @do
      needs|need a|an|another|more|updating|fixing|work|review|cleanup|testing|documentation; next step|steps
      left for later; for later; open|outstanding item|items|tasks|points; pending until
      is|are|still pending|outstanding|deferred|postponed|unfinished|untested|incomplete; not * yet
      remain|remains|left|still unstaged|uncommitted|untracked|unaddressed|unresolved|untested|unfixed
      has|have|is yet to; still open|to|need|needs; remember to; make sure to|you|that|we|the|it; be sure to
      should be @changed|done|written|revisited; should probably|also|really|eventually|have; should @do; eventually
      later we|i|on; at some point; one of these days; some day; in a follow-up|future|later|separate|next
      before going live; as the|a next step; i|we|someone|somebody should|must|has|needs
      would be nice|good|great|worth|useful|helpful; worth ~ing; nice to have
      plan|plans|planning|intend|hope|aim|want|wants|wanna|hoping|aiming to; goal|target for|is|of
      i'd|would|we'd like the|a|to|it|this|that|all|them|these; i|we|also want the|a|to|it|this|that|all|them|these
      let's look|check|investigate|add|fix|move|start|try|revisit|make|write|create|clean|test|plan|schedule|discuss
      look into; ^please; please @do; can|could|would|will you please|also|maybe|just? @do
      can|could someone|somebody|anyone|we @do|change; recommend|suggest|propose ~ing; must go; has to go; must be
      has to be; until after; by monday|tuesday|wednesday|thursday|friday|tomorrow
      implement|execute|follow the|this plan; wants|want all|every|each|the|more
    `,
    todo2: `
      should; must; pending; deferred; remaining; need; needs; required before; i|we will @do; will be @changed
      upcoming; deadline; temporary; temporarily; placeholder; once the|all|we; want; wish; revisit; consider ~ing
      reminder; would be; this weekend; before the launch|release|merge|deadline; hopefully; trying to; tomorrow; soon
      i'll @do; ^next week|month|up
    `,
    todo1: 'yet; still; finish; complete; improve; goal; task; tasks; first; also; later; before; too',
    context3: `
      according to
      is|are|was|were called|named|located|written|stored|identified|joined|partitioned|organized|organised|defined|based in|by|on|from|as|at
      consists|consist of; i live|work|am|grew|study; i've been ~ing; i|we usually|often|sometimes|normally|typically
      there are two|three|four|five|six|several|many; told me|us that; said that
      i|we went|visited|met|watched|attended|ran|played|read; was|were released|founded|born|built
      last saturday|sunday|monday|tuesday|wednesday|thursday|friday|week|month|year
      every minute|day|night|hour|week|month|year; for about; a team of
      my|our name|team|wife|husband|company|office|boss|manager|sister|brother|mother|father|family|contact|product|project|server|budget|customer|stack
      the|our deadline|budget|customer|company|frontend|backend|project|office is|for|in|uses|has
    `,
    context2: `
      each|every|a|an|the|all * has|contains|takes|receives|reads|lists|shows|returns|holds|stores|converts|talks|opens|starts|contain|take
      we|i have|use|are|am|run|own; uses; contains; consists; receives; written in; version; contact; known as
      for example; such as; takes place; background; in python|javascript|rust|java|go; since version; years; year
      months; kinds of
    `,
    context1: 'is; are; was; has; have; were; had; my; our; about; called; lives; old; between; of; both; includes',
    hypothesis: `
      maybe; perhaps; probably; possibly; presumably; suspect; best|my guess; might be|have|explain
      likely caused|due|because|that|the|a|related|maps
      could|may be|have that|the|a|an|caused|because|due|related|been; most likely; is|be|was|are likely
      one possibility; possibility is; my theory|hypothesis|hunch; hypothesis; i guess|assume|bet|imagine
      this|it|that looks like a|an; could explain; potentially the|a|caused
    `,
    dead_end: `
      did|does|do not help; @dont help|helped; @dont change|solve|fix anything|it
      that|it|this|which|either @dont work|help|fix; no luck; no difference; dead end|ends; to no avail; in vain
      without success|luck; changed|changes nothing; same result|outcome|error|problem|failure
      still * even with|after|though; even after|with ~ing; persists even|after|despite; nothing helped|worked
      gave up on; red herring; tried * no; rules|ruled out; no improvement; still ~s even
    `,
    confirmed: `
      the|our root cause; root cause was|is; turns|turned out; confirmed; @we verified|proved; proves|proven|proved
      verified that|on|by|with; found it; bisecting|bisect shows|showed|points; did the trick; fix holds|works
      works|working now|again; no longer fails|fail|crashes|happens|occurs|hangs|appears|breaks; is definitely|indeed
      it was indeed; restored the; reproduced the|it|on; that was it; found the cause|culprit; culprit was|is
      actual|real cause was|is
    `,
    firm: `
      definitely; certainly; clearly; always; never; must; final; absolutely; without doubt; for sure; no doubt
      exactly; undoubtedly; obviously; confirmed; verified; guaranteed; proves; in all cases
    `,
    hedge: `
      maybe; perhaps; probably; possibly; presumably; might; could be; may be; i think|guess|believe|suppose|assume
      seems; seem; appears to; looks like; likely; not sure; unsure; kind|sort of; kinda; apparently; roughly; i'd say
      suspect; tentatively; for now; if possible; would be nice; somewhat; potentially; leaning towards; wonder
      wondering; unclear; hopefully
    `,
    fine: '^good|great|perfect|nice|excellent',
    order: `
      ^@verb; ^@do #|up|to|in|on|into|out|tests|more|any|each|every|~s
      ^make|give|let|put|keep|use|run the|a|it|sure|all|this|#; ^@do @det
    `,
    advice: '^try ~ing|to|the|a; ^@advise #|~ing|the|a|an|both; ^avoid; ^consider; ^@advise',
    repair: `
      ^let me fix|try|bypass|correct|rewrite|remove|unstage|clean|restore|revert|undo|adjust|exclude|use|resolve|reformat|increase|bump|investigate|debug
      ^let me re? read|get|match|use the exact; ^let me check the exact; ^let me work around; ^let me take|try a different; ^let me write the whole|full|complete; ^let me also? auto fix
      ^i'll|i fix|remove|rewrite|write|exclude|only|use|try|clean
    `,
    narration: `
      ^let me; ^i'll|we'll @look; ^i|we will @look; ^i'll|we'll now|first; ^i'm|we're going to @look
      ^i am going to @look; ^i'm|we're now|currently? @looking; ^@looking
      ^now|next|first|then i|we|i'll|we'll|i'm|let's; ^now @look; ^now the|for; now i have|understand|know|can
      ^i|we need|have|want to check|look|see|find|read|verify|understand|review|examine|investigate|explore|run
      ^now i|we need|have|want to
      ^let's|lets check|see|run|read|verify|find|start|begin|continue|proceed|take|examine|go|walk|move
      i have everything|enough; i have all|what the|i; ^here's; ^here is|are a|the|what|my; here's a|the|my
      step by step; ^moving|turning on|to; ^ready to; ^back to the; ^below is|are
      ^this|that is the|a summary|overview; ^step #; ^based on the * here
    `,
    chatter: `
      all * pass|passed|passing|green|clean
      tests|checks|suites|hooks|lint|linter|build|typecheck|compilation pass|passes|passed|succeeded|succeeds|green|clean
      tests|checks|hooks|lint|build|linting|typecheck|check|types * is|are|all clean|green|passed|passing
      ^all clean|done|good|set|green; ^commit|committed; ^commit * created|succeeded|done; ^pushed; working tree is
      everything passes; # tests? pass|passed|passing; # pass; ^here's how|what|my|an|the|a; let's move on
      let's get started|going; let me know if you|anything|there|this; let me know when; feel free to
      happy to help|assist; hope this|that|it|you|you're|your; you're welcome
      if you have|need any|more|further|anything; don't hesitate; anything else i; i can help; ^sure i|thing
      ^thank|thanks; good|great|nice|best job|work|luck; ^sounds good|great|like; ^got it; talk soon|later; take care
      see you; keep it up; keep up the; ^certainly|absolutely i|here; request interrupted
      have a great|good|nice day|one|time|week|weekend|evening; of luck; glad|happy that|to|it|you
      i'm glad|happy|sorry; that worked; ^great|good|perfect that; ^great|good|nice question|choice|idea
      looks|sounds|is|that's|are great|good|awesome|amazing|perfect|wonderful|fantastic
      so happy|glad|proud|excited for; congrats|congratulations on; long time no; ^wow; ^haha; proud of you
      can't wait to; means a lot
    `,
  },
};

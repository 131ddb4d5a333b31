// Classes of English words that the cues of `en.ts` name together.

export const enClasses: { readonly [name: string]: string } = {
  // What may stand before the first word that counts.
  filler: `now so ok okay well yeah yep yes no nope hmm hm ah oh and but also then actually anyway ugh please just simply
    first next finally again alternatively otherwise however good great perfect alright right interesting btw fyi hi
    hey additionally similarly second third lastly still note`,
  be: "is are was were be been being isn't aren't wasn't weren't it's that's stays remains",
  aux: `is are was were do does did can could should would will has have shall may am isn't aren't wasn't don't doesn't
    didn't can't couldn't shouldn't wouldn't won't hasn't haven't`,
  // Who acts, and what stands before a noun.
  we: "i we they he she you team everyone both all people users nobody someone somebody customers i've we've they've",
  det: `the a an this that these those it its my our your their his her any all some every each both another one two
    three there anyone anybody someone somebody everyone`,
  that: 'it that this which they these those',
  not: `not never no without don't doesn't didn't won't isn't aren't wasn't weren't can't cannot couldn't none zero
    avoid avoids prevents prevent stops fixed solves resolves resolved handled nicht kein keine keinen ohne pas sans sin
    ningún`,
  dont: "don't doesn't didn't won't isn't aren't wasn't dont doesnt didnt wont hasn't haven't not never no cannot can't",
  which: 'why how what when where who which whether if whose',
  // Things that are asked of somebody: the bare verb at the beginning of a sentence.
  do: `add remove delete rename move change update fix make create write implement refactor replace extract split merge
    convert upgrade downgrade bump revert restore rewrite clean document test cover migrate port wire hook enable
    disable hide show display put set include exclude handle support allow prevent ensure improve optimize optimise
    reduce increase adjust align center redesign restructure reorganize reorganise rework simplify introduce apply
    install configure deploy release publish push rebase squash tag draft prepare build generate translate format
    investigate debug reproduce research explore benchmark profile measure evaluate compare check verify review
    analyze analyse audit confirm send email call ask order book buy schedule organize organise finish complete append
    insert register wrap export import download upload sync validate sanitize highlight resize drop kill stop start
    restart rerun retry give take turn follow find look read copy archive rotate clear reset swap switch collapse
    expand sort filter limit cap log print render load save store cache expose inline bundle address tackle provide
    specify define declare assert mock stub scan trim pin unify consolidate deduplicate propagate persist emit return
    mention get go learn talk pick contact renew invite visit bring extend conduct allocate dedicate attend identify
    gather select choose establish monitor track perform execute reach assign set reserve practice arrange design`,
  // Those of them that are nothing but verbs.
  verb: `add remove delete rename make create write implement replace extract convert revert restore clean migrate
    enable disable hide include exclude allow prevent ensure improve optimize optimise reduce increase adjust
    align center redesign restructure reorganize reorganise simplify introduce apply configure deploy publish
    rebase squash prepare generate investigate debug reproduce explore evaluate compare verify analyze analyse
    confirm send ask buy organize organise append insert register wrap validate sanitize resize kill rerun
    collapse expand render save expose provide specify define declare assert unify consolidate deduplicate
    propagate persist emit learn renew extend allocate dedicate attend identify gather choose establish perform
    assign arrange`,
  // Advice rather than a task.
  advise: 'use try avoid set pass run wrap simply call keep increase decrease delete disable enable consider prefer',
  // What an agent says it is about to do, which is no statement about anything.
  look: `look read check see run verify start begin explore find search open examine inspect review investigate view
    list grep understand get fetch fix update add create write commit stage implement do make edit apply modify remove
    delete replace move rename try test confirm ensure go take continue proceed work build also now first quickly
    analyze analyse dig trace gather figure rerun push wire refactor format clean compare explain walk summarize help
    provide think address mark set insert append rewrite change load pull show wait complete finish restore revert
    widen extract regenerate adjust rebuild restart install query count print locate identify determine scan just
    create double`,
  looking: `looking reading checking running verifying searching exploring starting opening inspecting fetching
    installing building creating writing updating adding fixing reviewing examining investigating analyzing analysing
    testing compiling downloading listing scanning waiting committing pushing staging applying removing implementing
    proceeding moving`,
  tell: 'explain tell show describe clarify elaborate summarize summarise say walk suggest recommend remember know help provide',
  // Changes that were made.
  changed: `added removed deleted renamed moved changed updated fixed created implemented refactored replaced extracted
    merged converted upgraded downgraded bumped reverted restored cleaned documented covered migrated ported wired
    enabled disabled increased reduced raised lowered adjusted wrapped patched resolved solved corrected rewritten
    introduced applied configured installed deployed published rebased squashed switched extended simplified optimized
    optimised consolidated unified deduplicated propagated handled hardened cached pinned excluded included inlined
    bundled exposed registered normalized normalised sanitized escaped debounced memoized indexed repaired addressed
    swapped redesigned reworked restructured tightened widened shortened expanded tweaked improved cleared validated
    inserted appended rebuilt regenerated dropped made wrote rewrote built split cut modified edited refined`,
  // What one does to see whether it helps, and what it does then.
  doing: `reverting restarting rebooting upgrading downgrading reinstalling switching disabling enabling rolling pinning
    adding removing moving wrapping replacing deleting clearing rewriting renaming sorting dropping increasing raising
    using setting turning running changing updating resetting moving splitting lowering reducing`,
  helps: `fixed fixes solved solves restored restores helped helps stops stopped resolves resolved cures eliminates
    prevents unblocked avoids gets got makes made works worked removes did shrank cut`,
  trouble: `problem problems issue issues bug bugs error errors exception leak race regression deadlock mismatch
    conflict vulnerability hole inconsistency warning failure failures crash crashes outage typo limitation catch
    drawback downside risk trouble flaw gap blocker`,
  // Bad as what something is, harmless as what it has: an empty list.
  off: 'empty blank null undefined hidden off down late lost gone missing cut short full complex',
  bad: `wrong broken missing stuck slow flaky incorrect invalid corrupt corrupted inconsistent unusable unreachable
    unresponsive stale outdated nan garbage truncated orphaned dangling insecure misleading
    fragile brittle painful annoying confusing unreadable unsafe vulnerable unstable`,
  fails: `fails failing crashes crashing hangs hanging breaks freezes leaks flickers complains rejects refuses throws
    raises blocks drops explodes dies stalls bricks`,
  soon: `later eventually soon tomorrow someday afterwards next`,
  ack: `thanks thank thx ty you your so much very a lot the that that's thats is it it's its this these was all ok okay k
    yes yeah yep yup no nope nah please pls sure great perfect awesome nice cool good excellent fantastic wonderful
    amazing brilliant lovely super sweet neat right correct exactly agreed done ready hello hi hey there morning
    afternoon evening night bye goodbye cheers later see soon take care welcome lgtm looks look sounds works for me to
    and again well i i'm glad happy love like appreciate understood got noted roger ah oh wow haha lol hmm hm indeed
    absolutely definitely of course fine go on ahead continue proceed keep going commit push ship do did as job work
    help everyone guys really too now let's move next wow tests pass plan worked congrats congratulations same here how's stop wait hold resume back`,
};

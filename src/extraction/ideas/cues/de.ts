// German. Words are listed in the forms that people write; verbs stand at the end, hence the gaps.

import type { CueTable } from '../cue-reader.ts';

export const de: CueTable = {
  classes: {
    ack: `danke dir dank vielen schönen ja nein genau passt gut super klasse prima toll hallo guten morgen tag abend
      tschüss bis bald ok alles klar perfekt bitte gerne weiter mach los gern sehr stimmt`,
    filler: 'also aber und ja nein gut dann bitte hm okay nun noch',
    not: 'nicht kein keine keinen ohne nie behebt behoben',
  },
  cues: {
    decision4: `
      entschieden; entscheidung; haben uns für; ab jetzt; ab sofort; von nun an; künftig; beschlossen; einigten uns
      geeinigt
    `,
    decision3: `
      wir nehmen|verwenden|nutzen|bleiben; wir bleiben bei; bleibt bei; ich nehme; festgelegt; ausgewählt; gewählt
      verzichten auf; immer|nie verwenden; lieber; bevorzuge; setzen auf; absichtlich; bewusst; niemals; nimm immer
    `,
    decision2: 'statt; anstatt; anstelle; stattdessen',
    conclusion4: `
      ursache war|ist; die ursache; grund war|ist|dafür; stellt|stellte sich heraus; herausgestellt
      hat nicht geholfen; half nicht; kein unterschied; ohne erfolg; bringt nichts; vermutlich; wahrscheinlich
      möglicherweise; ich vermute; lag an|am|daran; liegt an|am|daran
    `,
    conclusion3: `
      das heißt; das bedeutet; daher; deshalb; fazit; erkenntnis; also ist|liegt; festgestellt; bestätigt; zeigt dass
      offenbar; anscheinend; vielleicht; könnte * sein; gelernt; schneller|langsamer|besser als; es zeigt sich
    `,
    question4: `
      ich frage mich; weiß nicht ob|wie|warum|wann|wer|welche; unklar; keine ahnung; offene frage; nicht sicher ob|wie
    `,
    question3: `
      ^warum|wieso|weshalb|wie|wann|wo|wer|welche|welcher|welches|was|wozu
      ^soll|sollen|kann|können|kannst|könntest|könnten|gibt|ist|sind|hast|habt|haben|willst|wollen|möchtest|darf|muss ich|wir|es|das|die|der|du|sie|man|ihr
      möchtest du; soll ich; kannst du erklären|sagen
    `,
    problem3: `
      fehler; fehlermeldung; problem; probleme; schlägt|schlug fehl; fehlgeschlagen; bricht|brechen|brach * ab
      stürzt * ab; abgestürzt; funktioniert|geht|klappt|läuft * nicht; kann * nicht; können nicht; nicht gefunden
      kaputt; leider; hängt; zu langsam|groß|spät; fehlt; fehlen; falsch; falsche; falschen; geht nicht; unmöglich
      verloren; doppelt; undicht; absturz; nicht möglich; nicht unterstützt; abstürzt; veraltet
    `,
    problem2: 'nicht; langsam; schwierig; ausfall; warnung; risiko',
    solution4: 'behoben; gelöst; lösung; repariert; abhilfe; die lösung; umgangen; geholfen; workaround',
    solution3: `
      indem; hinzugefügt; ersetzt; umbenannt; verschoben; entfernt; geändert; angepasst; umgestellt; aktualisiert
      eingebaut; neustart; neu gestartet; läuft wieder|jetzt; funktioniert jetzt|wieder|nun; wurde|wurden * korrigiert
      implementiert
    `,
    todo4: `
      müssen|muss noch; als nächstes; nächster schritt; nächste schritte; offen ist|bleibt; steht|stehen noch aus
      noch zu; nicht vergessen; erinnere mich; später; verschoben auf; aufgeschoben
    `,
    todo3: `
      ^bitte; müssen|muss|sollten|sollte * werden; wir müssen|sollten; ich muss|sollte; sollte * werden; fehlt noch
      fehlen noch; ^füge|ändere|entferne|erstelle|schreibe|mach|aktualisiere|lösche|baue|ergänze; brauchen noch
      kannst du * ändern|schreiben|machen|hinzufügen|erstellen
    `,
    context3: `
      besteht aus; steht|stehen in; läuft|laufen unter|auf|mit; heißt; befindet|befinden sich; ich wohne|arbeite|bin
      wir sind|haben; unser|unsere|mein|meine; wird|werden in * gespeichert; laut
    `,
    hypothesis: 'vermutlich; wahrscheinlich; vielleicht; möglicherweise; ich vermute; könnte * sein; eventuell',
    dead_end: `
      hat|haben nicht|nichts geholfen|gebracht; half nicht; kein unterschied; ohne erfolg; bringt|brachte nichts
      immer noch; trotzdem; sackgasse
    `,
    confirmed: 'ursache war|ist; stellt|stellte sich heraus; herausgestellt; bestätigt; nachgewiesen; gefunden',
    firm: 'definitiv; sicher; immer; niemals; auf jeden fall; eindeutig',
    hedge: 'vielleicht; vermutlich; wahrscheinlich; eventuell; ich glaube|denke; möglicherweise; wohl; könnte',
    narration: `
      ^ich schaue|prüfe|lese|sehe|öffne|suche|starte|beginne|werde; ^lass mich; ^schauen wir; ^jetzt; ^zuerst; ^nun
    `,
    chatter: '^vielen dank; ^danke; gern geschehen; alle tests; viel erfolg',
  },
};

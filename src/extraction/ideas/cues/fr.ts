// French. Elided articles are words of their own here: `l'erreur` is read as `l erreur`.

import type { CueTable } from '../cue-reader.ts';

export const fr: CueTable = {
  classes: {
    ack: `merci beaucoup oui non accord parfait super génial bien très bonjour salut bonsoir ok bon d c
      exactement continue vas y entendu au revoir à bientôt nickel est de rien`,
    filler: 'donc alors mais et oui non bon bien sinon ensuite puis aussi',
    not: 'sans aucun aucune corrige corrigé',
  },
  cues: {
    decision4: `
      avons|ont|ai|a|est décidé; décidé; décision; avons|ai|ont|a choisi; optons|opté pour; désormais; dorénavant
      à partir de maintenant; on garde; on part sur; nous gardons; volontairement; convenu
    `,
    decision3: `
      on|nous utilise|utilisons|abandonne|abandonnons|garde|gardons|reste|restons|prend; plutôt que; je préfère
      nous préférons; choisi; toujours utiliser; ne jamais; retenu
    `,
    decision2: 'au lieu de; plutôt; préférable',
    conclusion4: `
      cause du problème; la cause|raison était|est; cause racine; il s'avère; s avère que; n'a rien|pas changé|aidé
      n a pas|rien changé|aidé|servi; sans succès; aucune différence; peut-être; probablement; sans doute dû
      je soupçonne; je pense que * vient|est; venait de|du; vient de|du
    `,
    conclusion3: `
      en fait; donc le|la|il|on; cela|ça signifie|veut|montre|confirme|prouve; en résumé; en conclusion; conclusion
      confirmé; il semble; apparemment; plus rapide|lent|simple que; autrement dit; par conséquent; dû à|au
      appris que; constaté que
    `,
    question4: `
      je me demande; ne sais pas si|comment|pourquoi|quand|qui; pas sûr si|de|que; question ouverte; aucune idée
    `,
    question3: `
      ^comment|pourquoi|quand|où|qui|quel|quelle|quels|quelles|combien|que|quoi; est-ce que|qu; est ce que|qu
      ^voulez|veux|peux|pouvez|peut|faut|dois|devons|souhaitez vous|tu|on|il|je|nous; ^est ce; ^y a t il
      pouvez vous expliquer|dire; qu est ce
    `,
    problem3: `
      erreur; erreurs; problème; problèmes; bug; bogue; échoue|échouent|échoué; plante|plantent|planté
      ne fonctionne|marche|répond|démarre pas; marche|fonctionne pas; impossible; cassé; panne; manque
      manquante|manquant; trop lent|lente|gros|tard; ne peut|peux|peuvent|trouve pas; introuvable; malheureusement
      bloqué|bloque; perdu|perdus; n arrive pas; en panne; fuite; incorrect; refuse de
    `,
    problem2: 'pas; lent; lente; difficile; avertissement; risque; jamais',
    solution4: `
      corrigé; résolu; la solution; solution; réparé; contourner|contourné; j ai corrigé; règle|réglé le|la
      contournement; ça marche maintenant
    `,
    solution3: `
      en ajoutant|supprimant|utilisant|remplaçant|vidant|redémarrant|mettant|passant|modifiant; ajouté; supprimé
      remplacé; renommé; déplacé; mis à jour; modifié; implémenté; il suffit de; fonctionne maintenant|désormais
      a été|ont été corrigé|ajouté|remplacé
    `,
    todo4: `
      il faut encore|aussi; reste à; prochaine étape; prochaines étapes; à faire; ne pas oublier; n oublie pas
      plus tard; reporté; rappelle moi
    `,
    todo3: `
      il faut; il faudrait; nous devons|devrions; on doit|devrait; je dois|devrais; doit|doivent être; il faudra
      ^ajoute|ajoutez|supprime|corrige|corrigez|modifie|change|écris|crée|créez|renomme|déplace|mets|fais|vérifie|ajouter|supprimer
      s il te|vous plaît; peux tu|pouvez vous ajouter|changer|corriger|créer|écrire|modifier|faire
    `,
    context3: `
      notre|nos|mon|ma|mes équipe|projet|serveur|entreprise|client|base|femme|mari; se trouve|trouvent; composé de
      je suis|travaille|habite|vis; nous sommes|avons|utilisons; selon la|le; s appelle
      compte * développeurs|personnes; est|sont écrit|écrite|stocké|stockée|situé
    `,
    hypothesis: `
      peut-être; probablement; sans doute; il se peut; je soupçonne; vraisemblablement; éventuellement
      pourrait être|venir
    `,
    dead_end: `
      n a pas|rien changé|aidé|servi|donné; n'a pas aidé; sans succès; aucune différence|effet; toujours pas
      rien n y fait; en vain; impasse
    `,
    confirmed: `
      cause du problème; la cause|raison était; cause racine; s avère; confirmé; confirme que; trouvé; prouve que
    `,
    firm: 'certainement; toujours; jamais; absolument; clairement; sûrement; définitivement',
    hedge: 'peut-être; probablement; sans doute; il semble; je pense|crois; pourrait; plutôt; éventuellement',
    narration: '^je vais; ^laisse|laissez moi; ^regardons|voyons|commençons; ^maintenant; ^d abord; ^voici',
    chatter: '^merci; avec plaisir; de rien; tous les tests; bonne chance; n hésite|hésitez pas',
  },
};

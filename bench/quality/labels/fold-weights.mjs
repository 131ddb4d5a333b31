// The weights of the labels as they would be without a conversation: one text of src/extraction/labels/weights.ts for each fold, and
// which fold a conversation is in.
import { calibrate, crossValidate, FOLDS, prepare, weightsText } from '../../../scripts/labels/training.mjs';

/** `foldOf`: a conversation without a label belongs to the first fold. */
export async function weightsByFold(data, say = () => {}) {
  const prepared = await prepare(data);
  const models = new Map();
  const trained = (fold, model) => {
    models.set(fold, model);
    say(`weights of ${models.size} of ${FOLDS} folds`);
  };
  const calibration = calibrate(prepared, crossValidate(prepared, undefined, { trained }));
  const texts = Array.from({ length: FOLDS }, (_, fold) => weightsText(prepared, models.get(fold), calibration));
  return { texts, foldOf: (session) => prepared.folds.get(session) ?? 0 };
}

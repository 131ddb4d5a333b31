// Opens the databases that it is told of, each at the moment that it is told, and says what came of it.
import { openDatabase } from '../../src/store/sqlite/open.ts';

process.on('message', ({ file, at }: { file: string; at: number }) => {
  while (Date.now() < at); // all openers at the same moment
  try {
    openDatabase(file).driver.close();
    process.send!('opened');
  } catch (error) {
    process.send!(String(error));
  }
});
process.send!('ready');

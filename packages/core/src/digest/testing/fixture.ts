import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The recorded output of a tool: `fixture('tsc/pretty')`. */
export const fixture = (name: string): string =>
  readFileSync(join(import.meta.dirname, '..', 'fixtures', `${name}.txt`), 'utf8')

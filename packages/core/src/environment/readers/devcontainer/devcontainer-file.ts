import { isRepositoryPath } from '../../../text/setting-texts.ts'
import { place } from '../../claims.ts'
import { jsonLine, readJson } from '../../formats/json-text.ts'
import { fieldsOf } from '../../formats/records.ts'
import type { Note } from '../../found.ts'
import type { Folder } from '../../files/repository-files.ts'

/** In the order of the specification. */
const FILES = ['.devcontainer/devcontainer.json', '.devcontainer.json']
const NAME = 'devcontainer.json'
const SETTINGS = 'beadloom.json'

/** Which devcontainer counts; several folders may have one. `file` null: none does. */
export function devcontainerFile(root: Folder): { file: string | null; notes: Note[] } {
  const text = root.has(SETTINGS) ? root.text(SETTINGS) : null
  const named = text === null ? undefined : fieldsOf(readJson(text))['devcontainer']
  if (named === false) return { file: null, notes: [] }
  if (typeof named === 'string' && isRepositoryPath(named)) {
    const from = place(root, SETTINGS, text === null ? null : jsonLine(text, ['devcontainer']))
    return root.has(named)
      ? { file: named, notes: [] }
      : { file: null, notes: [{ text: `${SETTINGS} names ${named}, which is not there.`, from }] }
  }
  const usual = FILES.find((name) => root.has(name))
  const others = usual === undefined ? root.inEach('.devcontainer', NAME) : []
  const [only, ...more] = others
  if (more.length === 0) return { file: usual ?? only ?? null, notes: [] }
  const several = others.slice(0, SHOWN).join(', ') + (others.length > SHOWN ? ', …' : '')
  const sentence = `There are ${others.length} devcontainers (${several}), so none of them is used. Name one as "devcontainer" in beadloom.json.`
  return { file: null, notes: [{ text: sentence, from: { file: '.devcontainer', line: null } }] }
}

const SHOWN = 3

import { commandClaim, place, toolClaim } from '../../claims.ts'
import { lineAt } from '../../formats/lines.ts'
import type { Reading } from '../../found.ts'
import type { Folder } from '../../repository-files.ts'
import { buildFolder } from './build-folder.ts'

const FILE = 'meson.build'
const TEST = /^[ \t]*test[ \t]*\(/m
const BELOW = /^(?!subprojects\/).*\/meson\.build$/
const MOST_FILES = 40

/** A project of Meson that has tests. */
export function meson(folder: Folder): Reading | null {
  if (!folder.has(FILE)) return null
  const text = folder.text(FILE) ?? ''
  const file = [FILE, ...folder.below(BELOW, MOST_FILES)].find((name) => TEST.test(folder.text(name) ?? ''))
  const found = /\bmeson_version\s{0,5}:\s{0,5}'([^']{1,40})'/.exec(text)
  const build = buildFolder(folder)
  const configure = configureIn(folder, build)
  const command = (purpose: 'setup' | 'test', line: string) =>
    file === undefined ? [] : commandClaim(folder, 'meson', purpose, line, place(folder, file))
  return {
    tools: toolClaim('meson', found?.[1] ?? null, place(folder, FILE, found ? lineAt(text, found.index + 1) : null)),
    commands: [
      // Meson itself has git ignore what it makes. It leaves a folder that is set up as it is.
      ...command('setup', `${configure} && { ninja -k 0 -C ${build} || true; }`),
      ...command('test', `${configure} && meson test -C ${build} --print-errorlogs`),
    ],
    techStack: ['Meson'],
  }
}

/** What makes documents needs programs that nothing else does: where they are not there, it is done without. */
function configureIn(folder: Folder, build: string): string {
  const text = OPTION_FILES.map((name) => folder.text(name) ?? '').join('\n')
  const without = [...text.matchAll(OPTION)].flatMap(([, name = '', rest = '']) => {
    const type = /\btype\s{0,9}:\s{0,9}'(boolean|feature)'/.exec(rest)?.[1]
    return DOCUMENTS.test(name) && type !== undefined ? [`-D${name}=${type === 'boolean' ? 'false' : 'disabled'}`] : []
  })
  const plain = `meson setup ${build}`
  return without.length === 0 ? plain : `{ ${plain} || ${plain} ${without.slice(0, 5).join(' ')}; }`
}

const OPTION_FILES = ['meson.options', 'meson_options.txt']
const OPTION = /\boption\s{0,9}\(\s{0,20}'([\w-]{1,60})'\s{0,20},([^()]{0,500})\)/g
const DOCUMENTS =
  /^(?:(?:build|enable|with|gtk|install)[-_]?)?(?:docs?|documentation|doxygen|man|manuals?|man[-_]?pages?)$/i

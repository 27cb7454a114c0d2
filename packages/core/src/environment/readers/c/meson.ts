import { commandClaim, place, toolClaim } from '../../claims.ts'
import { lineAt } from '../../formats/lines.ts'
import type { Reading } from '../../found.ts'
import type { Folder } from '../../files/repository-files.ts'
import { buildFolder } from './build-folder.ts'
import { buildsTests } from './options-of-tests.ts'

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
  const configure = configureIn(folder, build, projectOf(text))
  const command = (purpose: 'setup' | 'test', line: string) =>
    file === undefined ? [] : commandClaim(folder, 'meson', purpose, line, place(folder, file))
  return {
    tools: toolClaim('meson', found?.[1] ?? null, place(folder, FILE, found ? lineAt(text, found.index + 1) : null)),
    commands: [
      // Meson itself makes git ignore its files. A folder that is already set up is left as it is.
      ...command('setup', `${configure} && { ninja -k 0 -C ${build} || true; }`),
      ...command('test', `${configure} && meson test -C ${build} --print-errorlogs`),
    ],
    techStack: ['Meson'],
  }
}

const projectOf = (text: string): string => /^[ \t]*project\s{0,5}\(\s{0,20}'([^'\n]{1,60})'/m.exec(text)?.[1] ?? ''

/**
 * Turns on the options without which tests are left out. If that fails, it also turns off documents, which may need
 * programs that are missing.
 */
function configureIn(folder: Folder, build: string, project: string): string {
  const options = optionsOf(folder)
  const set = (all: readonly Option[], is: 'on' | 'off') =>
    all.slice(0, MOST_OPTIONS).map(({ name, type }) => `-D${name}=${VALUES[type][is]}`)
  const tests = set(
    options.filter(({ name, words, isOff }) => isOff && buildsTests(name, words, project)),
    'on',
  )
  const documents = set(
    options.filter(({ name }) => DOCUMENTS.test(name)),
    'off',
  )
  const plain = ['meson setup', build, ...tests].join(' ')
  return documents.length === 0 ? plain : `{ ${plain} || ${plain} ${documents.join(' ')}; }`
}

type Option = { name: string; type: keyof typeof VALUES; isOff: boolean; words: string }

const VALUES = { boolean: { on: 'true', off: 'false' }, feature: { on: 'enabled', off: 'disabled' } } as const
const MOST_OPTIONS = 5

function optionsOf(folder: Folder): Option[] {
  const text = OPTION_FILES.map((name) => folder.text(name) ?? '').join('\n')
  return [...text.matchAll(OPTION)].flatMap(([, name = '', rest = '']) => {
    const type = /\btype\s{0,9}:\s{0,9}'(boolean|feature)'/.exec(rest)?.[1]
    if (type !== 'boolean' && type !== 'feature') return []
    const isOff = /\bvalue\s{0,9}:\s{0,9}(?:false|'false'|'disabled')/.test(rest)
    return [{ name, type, isOff, words: /\bdescription\s{0,9}:\s{0,9}'([^']{0,200})'/.exec(rest)?.[1] ?? '' }]
  })
}

const OPTION_FILES = ['meson.options', 'meson_options.txt']
/** A description may contain a bracket. */
const OPTION =
  /\boption\s{0,9}\(\s{0,20}'([\w-]{1,60})'\s{0,20},([^()']{0,200}(?:'[^'\n]{0,300}'[^()']{0,200}){0,20})\)/g
const DOCUMENTS =
  /^(?:(?:build|enable|with|gtk|install)[-_]?)?(?:docs?|documentation|doxygen|man|manuals?|man[-_]?pages?)$/i

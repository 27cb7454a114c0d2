import { jsonObject } from '../digest/reading/failure-list.ts'
import { isObject } from '../text/json-object.ts'

/** The commands behind a command: scripts of `package.json`, targets of a Makefile, shell scripts. */
export type NamedCommands = {
  scripts: Readonly<Record<string, unknown>>
  /** Each target with its prerequisites and its recipe, as one line. */
  targets: Readonly<Record<string, string>>
  /** The lines of each shell script, by the path by which it is called. */
  shell: Readonly<Record<string, string>>
}

/** "npm test", "npm run test:unit", "yarn test", "pnpm -r test", with the name of the script. */
const SCRIPT = /^(?:npm|pnpm|yarn|bun(?=.*\srun\s))(?:\s+-{1,2}[\w-]+)*\s+(?:run\s+|run-script\s+)?([\w:.-]+)(?:\s|$)/
/** The scripts of packages, rather than the root's own. */
const OF_PACKAGES = /\s(?:-r|--recursive|-ws|--workspaces?|-w|--filter|-F)(?:[=\s]|$)/
/** npm-run-all and its short names: scripts by name or pattern, in sequence, or in parallel until one fails. */
const SEVERAL = /^(?:npx\s+)?(?:run-[sp]|npm-run-all2?)\s+(.{1,500})$/
/** With `-k` all targets are tried. */
const MAKE = /^(?:g?make|\$[({]MAKE[)}])(?:\s+(?!-\w*k|--keep-going)(?:-\S+|\w+=\S*))*\s+([\w.-]+)\s*$/

/** "sh test.sh", "./scripts/check.sh -v". */
const SHELL = /^(?:(?:ba|da|z)?sh\s+(?:-[a-z]+\s+)*(?:\.\/)?|\.\/)(?!(?:gradlew|mvnw)(?:\s|$))([\w./-]+)(?:\s|$)/
const FOLDER = /^cd '?([\w./-]+)'? && /
/** In make's own order. */
const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile']

/** Longer command lines are not searched. */
const MOST = 10_000
const MOST_TARGETS = 500
/** The most words in a command that names several scripts, and scripts that each word may mean. */
const MOST_WORDS = 20
const MOST_SCRIPTS = 1000

/** The commands behind a command; null: it is no name of any. */
export function meaningOf(command: string, { scripts, targets, shell }: NamedCommands): string | null {
  const words = command.trim().slice(0, MOST)
  const [called = '', name] = SCRIPT.exec(words) ?? []
  const script = name === undefined || OF_PACKAGES.test(words) ? undefined : scripts[name === 't' ? 'test' : name]
  if (typeof script === 'string') return `${script} ${words.slice(called.length).replace(/^\s*--(?=\s|$)/, '')}`.trim()
  const several = SEVERAL.exec(words)?.[1]
  if (several !== undefined) return scriptsOf(several.split(/\s+/, MOST_WORDS), Object.keys(scripts))
  const target = MAKE.exec(words)?.[1]
  if (target !== undefined && Object.hasOwn(targets, target)) return targets[target] ?? null
  const path = SHELL.exec(words)?.[1]
  return path !== undefined && Object.hasOwn(shell, path) ? (shell[path] ?? null) : null
}

function scriptsOf(words: readonly string[], known: readonly string[]): string {
  const goesOn = words.some((word) => word === '-c' || word === '--continue-on-error')
  const names = words
    .filter((word) => !word.startsWith('-'))
    .flatMap((word) => named(word.replace(/^"|"$/g, ''), known))
  return names.map((name) => `npm run ${name}`).join(goesOn ? '; ' : ' && ')
}

/** `test:*` is every script with one more word, `test:**` every one. */
function named(word: string, known: readonly string[]): readonly string[] {
  if (!word.includes('*')) return [word]
  const [head = ''] = word.split('*', 1)
  const deep = word.endsWith('**')
  return known
    .slice(0, MOST_SCRIPTS)
    .filter((name) => name.startsWith(head) && (deep || !name.slice(head.length).includes(':')))
}

/** The folder that a command enters first; '' if it stays in the root. */
export const folderOf = (command: string): string => FOLDER.exec(command)?.[1] ?? ''

const shellScripts = (command: string): string[] =>
  command
    .slice(0, MOST)
    .split(/&&|;|\|\|?/)
    .flatMap((part) => SHELL.exec(part.trim())?.[1] ?? [])

/** The files that may contain the commands behind a command, by their paths in the repository. */
export function filesNamedBy(command: string): string[] {
  const folder = folderOf(command)
  const names = ['package.json', ...MAKEFILES, ...shellScripts(command)]
  return names.map((name) => (folder === '' ? name : `${folder}/${name}`))
}

/** @param files the texts of the files that `filesNamedBy` returns, by path */
export function namedCommands(command: string, files: ReadonlyMap<string, string>): NamedCommands {
  const folder = folderOf(command)
  const text = (name: string) => files.get(folder === '' ? name : `${folder}/${name}`)
  const manifest = text('package.json')
  const value = manifest === undefined ? null : jsonObject(manifest)
  const makefile = MAKEFILES.map(text).find((one) => one !== undefined) ?? ''
  return {
    scripts: isObject(value?.['scripts']) ? value['scripts'] : {},
    targets: targetsIn(makefile),
    shell: Object.fromEntries(
      shellScripts(command).flatMap((path) => {
        const script = text(path)
        return script === undefined ? [] : [[path, linesIn(script)]]
      }),
    ),
  }
}

/** With `-e` a script fails with its first failing line, otherwise with its last. */
const linesIn = (script: string): string =>
  script
    .split('\n', 1000)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .join(ENDS.test(script) ? ' && ' : '\n')

/** On one line, and bounded: nobody writes longer ones. */
const ENDS = /^(?:#![^\n]{0,100}[ \t]|set[ \t]{1,20})-(?:[a-df-z]{0,20}e|[^\n]{0,100}\berrexit\b)/m

function targetsIn(makefile: string): Record<string, string> {
  const parts = new Map<string, { words: string[]; length: number }>()
  const add = (targets: readonly string[], more: readonly string[]): void => {
    for (const target of targets) {
      const known = parts.get(target) ?? { words: [], length: 0 }
      parts.set(target, known)
      for (const words of more) {
        // Each target needs the prerequisites of its rule; more of a command is not read.
        if (known.length > MOST) break
        known.words.push(words)
        known.length += words.length
      }
    }
  }
  let open: string[] = []
  for (const line of makefile.split('\n', 5000)) {
    const rule = /^([\w.-]{1,80}(?: [\w.-]{1,80}){0,20})\s{0,5}::?(?!=)\s{0,5}([^=#]{0,2000})$/.exec(line)
    if (line.startsWith('\t')) {
      const [marks = ''] = /^[@+-]*/.exec(line.trim()) ?? []
      // With `-` its failure is ignored.
      const words = `${line.trim().slice(marks.length)}${marks.includes('-') ? ' || true' : ''}`
      add(open, [words])
    } else if (rule) {
      open = (rule[1] ?? '').split(' ').filter((name) => name !== '.PHONY' && parts.size < MOST_TARGETS)
      const needs = (rule[2] ?? '').split(/\s+/).filter((name) => /^[\w.-]+$/.test(name))
      add(
        open,
        needs.map((name) => `make ${name}`),
      )
    } else if (line.trim() !== '' && !line.startsWith('#')) open = []
  }
  return Object.fromEntries([...parts].map(([target, { words }]) => [target, words.join(' && ')]))
}

import { bare } from './shell-lines.ts'

/** `names` may be each of several paths, as of a module. `lax`: it is started so that its assertions do nothing. */
export type Started =
  | { kind: 'file'; names: string[]; language: 'shell' | 'code' | 'own'; sourced: boolean; lax: boolean }
  | { kind: 'make'; folder: string; file: string | null; targets: string[] }
  | { kind: 'script'; name: string }
  | { kind: 'text'; text: string }

const SHELL = /^(?:\/(?:usr\/)?bin\/)?(?:env )?(?:ba|da|z|k|a)?sh$/
const PROGRAM =
  /^(?:\/(?:usr\/(?:local\/)?)?bin\/)?(?:python[\d.]*|pypy3?|node|nodejs|deno|bun|tsx|ts-node|ruby|perl|php|lua|Rscript|\$[({]?PYTHON\d?[)}]?|\$[({]?NODE[)}]?)$/
/** Programs that only start others. */
const WRAPPER =
  /^(?:(?:uv|poetry|pipenv|pdm|hatch|rye) run|npx|pnpm exec|yarn exec|bundle exec|time|command|exec|env(?: -\S+)*(?: \w+=\S*)*|nice(?: -n)?(?: -?\d+)?|timeout(?: -\S+(?: \d\S*)?)* \d\S*|xvfb-run(?: -\S+)*|stdbuf(?: -\S+)*|sudo|caffeinate)\s+/
/** Their next word belongs to them. */
const WITH_VALUE = /^(?:-[WXrICd]|--require|--import|--loader|--env-file)$/
const SCRIPT = /^(?:npm|pnpm|yarn|bun)\s+(?:-{1,2}[\w-]+\s+)*(?:run(?:-script)?\s+)?(?:-{1,2}[\w-]+\s+)*([\w:.-]+)/

const plain = (word: string): string => word.replace(/^(["'])(.*)\1$/, '$2').replace(/["']/g, '')

/** A path without a variable of a folder in front (`"$here"/run.sh`); null: it is none that can be known. */
function pathOf(word: string): string | null {
  const path = plain(word)
    .replace(/^\$(?:\([^)]*\)+|\{[^}]*\}|\w+)\//, '')
    .replace(/^(?:\.\/)+/, '')
  return /^[\w@.+-][\w@.+/-]*$/.test(path) ? path : null
}

/** The parts of a command; spaces within quotes and `$(…)` do not part it. */
const wordsOf = (text: string): string[] =>
  text.match(/(?:\$\([^)]{0,300}\)|"[^"]{0,2000}"|'[^']{0,2000}'|[^\s"'])+/g) ?? []

/** The program or file that a command starts, as the last of its pipeline; null: nothing of the repository's, as far as words tell. */
export function startIn(command: string): Started | null {
  let text = bare(command)
  for (let count = 0; count < 5 && WRAPPER.test(text); count++) text = text.replace(WRAPPER, '')
  const [program = '', ...rest] = wordsOf(text)
  if (program === '.' || program === 'source') return fileOf(rest[0], { language: 'shell', sourced: true })
  if (SHELL.test(program)) {
    const at = rest.findIndex((word) => !/^[-+]/.test(word))
    if (rest.slice(0, at).some((word) => /^-[a-z]*c$/.test(word)))
      return { kind: 'text', text: unquoted(rest[at] ?? '') }
    if (rest.slice(0, Math.max(0, at)).some((word) => /^-[a-z]*n/.test(word))) return null
    return fileOf(rest[at], { language: 'shell' })
  }
  if (/^(?:g?make|\$[({]MAKE[)}])$/.test(program)) return makeOf(rest)
  const script = SCRIPT.exec(text)?.[1]
  if (script !== undefined && !/^(?:install|ci|i|exec|add|x|dlx)$/.test(script))
    return { kind: 'script', name: /^(?:t|tst)$/.test(script) ? 'test' : script }
  if (PROGRAM.test(program)) return programOf(rest)
  if (program === 'go' && rest[0] === 'run')
    return fileOf(
      rest.find((word) => word.endsWith('.go')),
      { language: 'code' },
    )
  return /\//.test(program) ? fileOf(program, { language: 'own' }) : null
}

function fileOf(
  word: string | undefined,
  how: { language: 'shell' | 'code' | 'own'; sourced?: boolean; lax?: boolean },
): Started | null {
  const path = word === undefined ? null : pathOf(word)
  return path === null
    ? null
    : { kind: 'file', names: [path], language: how.language, sourced: how.sourced ?? false, lax: how.lax ?? false }
}

function programOf(rest: readonly string[]): Started | null {
  const lax = rest.some((word) => /^-OO?$/.test(word))
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] ?? ''
    if (word === '-m') {
      const module = plain(rest[at + 1] ?? '').replaceAll('.', '/')
      const names = [`${module}.py`, `${module}/__main__.py`]
      return /^\w[\w/]*$/.test(module) ? { kind: 'file', names, language: 'code', sourced: false, lax } : null
    }
    if (/^(?:-c|-e|-p|--eval|--test|-)$/.test(word)) return null
    if (WITH_VALUE.test(word)) at += 1
    else if (!word.startsWith('-') && word !== 'run') return fileOf(word, { language: 'code', lax })
  }
  return null
}

function makeOf(rest: readonly string[]): Started {
  const found = { kind: 'make' as const, folder: '', file: null as string | null, targets: [] as string[] }
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] ?? ''
    if (word === '-C' || word === '--directory') found.folder = plain(rest[++at] ?? '')
    else if (word === '-f' || word === '--file') found.file = plain(rest[++at] ?? '')
    else if (/^-[jlo]$/.test(word)) at += /^\d+$/.test(rest[at + 1] ?? '') ? 1 : 0
    else if (!/^-|=|^\d?[<>]/.test(word)) found.targets.push(plain(word))
  }
  return found
}

const unquoted = (word: string): string => word.replace(/^(["'])([^]*)\1$/, '$2').replace(/\\(["$`\\])/g, '$1')

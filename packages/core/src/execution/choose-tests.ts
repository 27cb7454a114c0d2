/*
 * Makes a test command run only some tests, if its tool takes them on the command line; no other tool is tried. Paths
 * and names come from a repository: they are quoted for `sh`.
 */

export type Chosen = {
  /** The project's test command, and the tool as which its output was read (`vitest`, `pytest`, …). */
  command: string
  tool: string
  /** Test files, relative to the repository's root. */
  files: readonly string[]
  /** The scripts of the root's package.json at that commit; default: none are known. */
  scripts?: Readonly<Record<string, string>>
}

const MOST_FILES = 50

/** A command that runs only the tests of these files; null: the tool, or this command, cannot choose. */
export function chosenTests({ command, tool, files, scripts = {} }: Chosen): string | null {
  const [, before = '', all = ''] = PREPARED.exec(command.trim()) ?? []
  const plain = EACH_CRATE.exec(all)?.[1] ?? all
  // A second command would get the arguments, or run everything.
  if (/[;&|<>`$\n#]/.test(plain) || files.length === 0 || files.length > MOST_FILES) return null
  if (files.some((file) => file.startsWith('-') || /[\0\n\r]/.test(file) || isEscaped(file))) return null
  if (!handsOn(plain, scripts)) return null
  const form = forms[tool]
  const chosen = form === undefined ? byCommand(plain, files) : form(plain, files)
  return chosen === null ? null : before + chosen
}

/** Beadloom's own prefix of a Python project's tests: its virtual environment, and packages to compile anew in it. */
const PREPARED = /^(\. \.venv\/bin\/activate && (?:pip install [\w./ -]{1,1000} && )?)?([^]*)$/

/**
 * A workspace of Cargo, with Beadloom's fallback for a crate that does not compile: then the chosen tests fail as well.
 */
const EACH_CRATE = /^(cargo test --workspace [\w ,/+-]{1,700}?) \|\| \{ cargo test [^\n]{1,1900}; false; \}$/

/**
 * Whether the path has escapes because its bytes are not UTF-8 (or looks like it): no program finds a file by this
 * text.
 */
export const isEscaped = (path: string): boolean => /\\x[0-9A-Fa-f]{2}/.test(path)

const byManager = /^(?:npm|pnpm|yarn|bun)\s+(?:(?:run|run-script)\s+)?(?!(?:exec|dlx|x)\b)([\w:.-]+)(?:\s|$)/
/** Programs that start scripts by a pattern, or in packages: nobody knows which script would get the files. */
const startsOthers = /(?:^|\s)(?:run-s|run-p|npm-run-all2?|concurrently|turbo|nx|lerna|wireit|wsrun)\b/
/** People do not write longer chains of scripts that start scripts. */
const MOST_STEPS = 5

/**
 * Whether the arguments of a command reach the runner, and only the runner. A package manager appends them to the whole
 * script: with `tsc && mocha` mocha gets them, and tsc runs again; with `mocha && eslint .` eslint gets them. If a
 * script only starts another one, that one is looked at.
 */
function handsOn(command: string, scripts: Readonly<Record<string, string>>, steps = 0): boolean {
  if (steps > MOST_STEPS) return false
  const [, word = ''] = byManager.exec(command) ?? []
  const name = word === 't' || word === 'tst' ? 'test' : word
  // Only own properties: a script may have the name of a property that every object has.
  const own = (key: string) => (Object.hasOwn(scripts, key) ? scripts[key] : undefined)
  const script = name === '' ? undefined : own(name)
  if (script === undefined) return true
  if (own(`post${name}`) !== undefined) return false
  if (/[;&|<>`$\n#]/.test(script) || startsOthers.test(script)) return false
  return handsOn(script.trim(), scripts, steps + 1)
}

type Form = (command: string, files: readonly string[]) => string | null

const ofScripts =
  (ending: RegExp): Form =>
  (command, files) => {
    const own = files.filter((file) => ending.test(file))
    return own.length < files.length ? null : `${withSeparator(command)} ${quotedAll(own)}`
  }
const script = ofScripts(/\.[cm]?[jt]sx?$/)
const python = ofScripts(/\.py$/)

const forms: Record<string, Form> = {
  vitest: script,
  jest: script,
  mocha: script,
  ava: script,
  playwright: script,
  'node-test': script,
  tap: script,
  pytest: python,
  'go-test': (command, files) => {
    if (!/^go test\b/.test(command) || files.some((file) => !file.endsWith('_test.go'))) return null
    const folders = [
      ...new Set(files.map((file) => (file.includes('/') ? `./${file.slice(0, file.lastIndexOf('/'))}` : '.'))),
    ]
    const flags = command
      .split(/\s+/)
      .slice(2)
      .filter((word) => word.startsWith('-'))
    return ['go test', ...flags, quotedAll(folders)].join(' ')
  },
  'cargo-test': (command, files) => {
    // `--test` looks in all packages that the command tests.
    const where = /\s--workspace\b/.test(command) ? /^(?:.*\/)?tests\/([\w-]+)\.rs$/ : /^tests\/([\w-]+)\.rs$/
    const names = files.map((file) => where.exec(file)?.[1])
    if (!/^cargo (?:test|nextest run)\b/.test(command) || names.some((name) => name === undefined)) return null
    return `${command} ${[...new Set(names)].map((name) => `--test ${name}`).join(' ')}`
  },
  maven: (command, files) => {
    const names = classesOf(files, /\.(?:java|kt)$/)
    if (names === null || !/^(?:(?:sh )?\.\/)?mvnw?\b/.test(command)) return null
    // Modules without such a test are no failure.
    const others = /\s-fae\b/.test(command) ? ' -Dsurefire.failIfNoSpecifiedTests=false' : ''
    return `${command} -Dtest=${quoted(names.join(','))}${others}`
  },
}

/** Runners that are recognised by the command itself. */
function byCommand(command: string, files: readonly string[]): string | null {
  if (/^(?:bundle exec )?rspec\b/.test(command)) return ofScripts(/_spec\.rb$/)(command, files)
  if (/^(?:mix test|bats|(?:dart|flutter) test)\b/.test(command)) return `${command} ${quotedAll(files)}`
  if (/^swift test\b/.test(command)) {
    const names = classesOf(files, /\.swift$/)
    return names && `${command} --filter ${quoted(names.join('|'))}`
  }
  if (/^(?:\.\/)?vendor\/bin\/(?:phpunit|pest)\b|^phpunit\b/.test(command)) {
    const names = classesOf(files, /\.php$/)
    return names && `${command} --filter ${quoted(names.join('|'))}`
  }
  if (/^dotnet test\b/.test(command)) {
    const names = classesOf(files, /\.cs$/)
    return names && `${command} --filter ${quoted(names.map((name) => `FullyQualifiedName~${name}`).join('|'))}`
  }
  return null
}

/** Some package managers pass on only arguments after `--`. */
const withSeparator = (command: string): string =>
  /^(?:npm|pnpm)\s+(?:run\s+|run-script\s+)?[\w:-]+(?:\s|$)/.test(command) &&
  !/^pnpm\s+(?:exec|dlx)\b/.test(command) &&
  !/\s--(?:\s|$)/.test(command) &&
  !/^npm\s+exec\b/.test(command)
    ? `${command} --`
    : command

function classesOf(files: readonly string[], ending: RegExp): string[] | null {
  const names = files.map((file) => file.slice(file.lastIndexOf('/') + 1).replace(ending, ''))
  return files.every((file) => ending.test(file)) && names.every((name) => /^\w+$/.test(name)) ? names : null
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`
const quotedAll = (words: readonly string[]): string => words.map(quoted).join(' ')

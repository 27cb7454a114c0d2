import { patchLines, type ChangedFile, type PatchLine } from '../patch.ts'
import { isEnvironment } from './environments.ts'
import { mayBringRunner } from './own-runners.ts'
import { isRunnerSetting } from './runner-settings.ts'
import { replacesRunner } from '../subverted.ts'
import { choosesTests } from './choosing-options.ts'
import { cannotFail, isNothing, isPiped } from './command-ends.ts'
import { weakTarget, toleratesNow } from './tolerated.ts'

/*
 * Files that define "run the tests". A command is weakened if it can no longer fail, no longer does anything, or starts
 * to leave tests out.
 */

const scriptFile =
  /(?:^|\/)(?:package\.json|composer\.json|beadloom\.json|GNUmakefile|[Mm]akefile|[^/]*\.mk|[Jj]ustfile|Taskfile\.ya?ml|tox\.ini|noxfile\.py|Rakefile|build\.gradle(?:\.kts)?|pom\.xml|mvnw|gradlew|manage\.py)$|(?:^|\/)[^/]*(?:test|check|verify|ci)[^/]*\.sh$|(?:^|\/)(?:bin|scripts?|tools|ci|dev|hack|build)\/(?:[^/.]*[-_])?(?:tests?|check|verify|ci|cibuild)(?:[-_][^/.]*)?$/
const runnerSettings =
  /(?:^|\/)(?:(?:vitest|vite|jest|playwright|cypress|ava|karma)\.(?:config|conf|workspace)\.[cm]?[jt]s|web-test-runner\.config\.[cm]?[jt]s|bunfig\.toml|\.taprc|jest\.config\.json|\.mocharc(?:\.\w+)?|\.?pytest\.(?:ini|toml)|setup\.(?:cfg|py)|tox\.ini|pyproject\.toml|conftest\.py|package\.json|beadloom\.json)$/

const testing =
  /--target[ =]\S*(?:test|check)|\bmake(?: -\S+)* \S*(?:test|check)|(?:^|\W)(?:test|tests|check|verify|vitest|jest|mocha|ava|playwright|cypress|pytest|unittest|tox|nose2|rspec|phpunit|ctest|bats|tsc|eslint|lint)(?:$|[^\w-])/

const leavesOut =
  /--collect-only|--co(?=["'\s]|$)|--setup-(?:only|plan)|--listTests|\baddopts\s*=.*\s-k\s|--passWithNoTests|--lfnf|--last-failed|--lf(?=[\s"']|$)|--pass-with-no-tests|passWithNoTests|testPathIgnorePatterns|collect_ignore|--deselect|--ignore(?:-glob)?[=\s]|--testPathIgnorePatterns|--exclude[=\s]|-k\s*["'\\]*not\s|-DskipTests|maven\.test\.skip|--no-run\b|--bail\s*=?\s*0|continue-on-error|\b(?:testIgnore|testNamePattern|norecursedirs|pytest_ignore_collect|modulePathIgnorePatterns|grepInvert)\b|["']?(?:dry-?[rR]un|pass-on-failing-test-suite|passOnFailingTestSuite)["']?\s*:\s*true|["'](?:f?grep|match)["']\s*:|-m\s*["'\\]*not\s|\bitems\[:\]\s*=|(?:add_marker|applymarker)\(\s*(?:marker\s*=\s*)?(?:pytest\.mark\.|["'])(?:skip|xfail)/

const jsonEntry = /"([^"\\]{1,100})"\s*:\s*"((?:[^"\\]|\\.)*)"/g
const testScript = /^(?:test|tests|check|verify|lint|typecheck|build|command|setup|ci)(?:[:_-].*)?$/

export const definesTests = (path: string): boolean =>
  scriptFile.test(path) ||
  runnerSettings.test(path) ||
  isRunnerSetting(path) ||
  isEnvironment(path) ||
  mayBringRunner(path) ||
  replacesRunner(path)

/**
 * Sentences about test commands that a change to one file weakened.
 *
 * @param name the file's name in them
 * @param movedFrom former paths of tests that the change moves: settings move with them
 * @param isNewPlace whether all that is below a path is new: other runners' tests may be there
 */
export function weakenedCommands(
  { path, status, patch }: ChangedFile,
  name: string,
  movedFrom: readonly string[] = [],
  isNewPlace: IsPlace = () => false,
): string[] {
  if (status === 'D' || !definesTests(path)) return []
  const lines = patchLines(patch)
  const removed = lines.filter(({ sign }) => sign === '-').map(({ plain }) => plain)
  const added = lines.filter(({ sign }) => sign === '+').map(({ plain }) => plain)
  const found: string[] = []
  if (runnerSettings.test(path)) {
    const isNone = (place: string) => isNoPlaceOfTests(place, status)
    const isOther = (place: string) => isNone(place) || isNewPlace(place)
    const before = new Set(removed.flatMap((line) => leavesOut.exec(line)?.[0] ?? []))
    const option = added.map((line) => optionIn(line, isNone, isOther)).find((word) => word && !before.has(word))
    const excluded = option ? undefined : excludedPath(lines, isOther)
    if (option) found.push(`${name} leaves tests out (${option.trim()})`)
    else if (excluded !== undefined) found.push(`${name} leaves tests out (${excluded})`)
    const narrower = narrowedPlace(path, lines, movedFrom) ?? newPatterns(added)
    const replaced = added.find((line) => ofItsOwn.test(line))
    if (replaced !== undefined && !removed.some((line) => ofItsOwn.test(line)))
      found.push(`${name} puts something of its own in the place of the runner, or of what is tested`)
    if (narrower !== undefined) found.push(`${name} looks for tests in fewer places (not in ${narrower})`)
  }
  if (!scriptFile.test(path)) return found
  if (path.endsWith('beadloom.json') && added.some((line) => /"verify"\s*:\s*\[\s*\]/.test(line)))
    found.push(`${name}: nothing is verified any more`)
  const starts = /(?:^|\/)(?:mvnw|gradlew|manage\.py)$/.test(path)
  if (starts) return emptiedStart(removed, added) ? [...found, `${name} no longer starts what it is there for`] : found
  const there = lines.filter(({ sign }) => sign !== '-').map(({ plain }) => plain)
  const weak = path.endsWith('.json')
    ? weakEntry(removed, added, there)
    : (weakRecipe(path, removed, added) ?? weakTarget(path, patch))
  if (weak !== null) found.push(`${name}: ${weak}`)
  return found
}

/** The way in which a script that a check starts got weaker; null: it did not. */
export function weakScript(path: string, removed: readonly string[], added: readonly string[]): string | null {
  const isShell = !/\.(?!sh$|bash$)[a-z]+$/.test(path)
  if (isShell) return weakRecipe(`${path}.sh`, removed, added)
  const runs = (lines: readonly string[]) => lines.some((line) => !/^\s*(?:#|\/\/)/.test(line) && testing.test(line))
  const ends = (lines: readonly string[]) => lines.some((line) => endsAtOnce.test(line))
  if (ends(added) && !ends(removed)) return 'it ends by itself, and well'
  return runs(removed) && !runs(added) && added.some(Boolean) ? 'it no longer runs tests' : null
}

const endsAtOnce =
  /^exit(?: 0)?;?$|\b(?:sys\.|os\._|process\.|Kernel\.)?exit\(0?\)|\braise SystemExit(?:\(0?\))?$|\bprocess\.exitCode ?= ?0/

/** A wrapper of a build, or Django's program: whether it no longer starts anything at its end, or exits before. */
function emptiedStart(removed: readonly string[], added: readonly string[]): boolean {
  const starts = /^exec\b|\bexecute_from_command_line\(|\bexec "?\$/
  const lost = removed.some((line) => starts.test(line)) && !added.some((line) => starts.test(line))
  return lost || (added.some((line) => endsAtOnce.test(line)) && !removed.some((line) => endsAtOnce.test(line)))
}

/** `npm run unit` instead of the script's own command. */
const CALLS = /^(?:npm|pnpm|yarn|bun) (?:run )?(?:-\S+ )*([\w:.-]{1,100})$/

function weakEntry(removed: readonly string[], added: readonly string[], there: readonly string[]): string | null {
  const before = entries(removed)
  const after = entries(added)
  const all = entries(there)
  const isElsewhere = searchOf([...after.values()])
  for (const [name, old] of before) {
    if (!testScript.test(name) || isNothing(old)) continue
    const own = after.get(name)
    const now = own === undefined ? undefined : (all.get(CALLS.exec(own)?.[1] ?? '') ?? own)
    if (now === undefined) {
      if (name === 'test') return 'the command "test" was removed'
    } else if (isNothing(now) || (testing.test(old) && asksNothing.test(now)))
      return `the command "${name}" no longer does anything`
    else if ((cannotFail.test(now) && !cannotFail.test(old)) || (now.startsWith('! ') && !old.startsWith('! ')))
      return `the command "${name}" can no longer fail`
    else if (testing.test(now) && isPiped(now) && !isPiped(old) && !now.includes('pipefail'))
      return `the result of the command "${name}" is lost in a pipe`
    else if (isFollowed(now) && !isFollowed(old))
      return `the result of the command "${name}" is lost: another command comes after it`
    else if (isNarrower(old, now, isElsewhere)) return `the command "${name}" runs fewer tests`
  }
  return null
}

function entries(lines: readonly string[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const line of lines)
    for (const [, name, value] of line.matchAll(jsonEntry))
      if (name !== undefined && value !== undefined) found.set(name, value)
  return found
}

/** Each removed test command is compared with each added one; an honest change of a recipe has few. */
const MOST_COMPARED = 100_000

function weakRecipe(path: string, removed: readonly string[], added: readonly string[]): string | null {
  const code = (line: string) => !/^\s*(?:#|\/\/)/.test(line)
  const before = removed.filter((line) => code(line) && testing.test(line))
  const says = (line: string) => line.replace(/\b(?:echo|printf)\b[^|&;]*/g, '')
  const fails = (line: string) => !cannotFail.test(line) && !(/[Mm]akefile$|\.mk$/.test(path) && line.startsWith('-'))
  const runs = added.filter((line) => code(line) && testing.test(line))
  const isShell =
    path.endsWith('.sh') ||
    /\/[^/.]+$/.test(path.replace(/(?:^|\/)(?:[Mm]akefile|GNUmakefile|[Jj]ustfile|Rakefile)$/, ''))
  const traps = (lines: readonly string[]) => lines.some((line) => trapped.test(line))
  if (isShell && ((endsWell(added) && !endsWell(removed)) || (traps(added) && !traps(removed))))
    return 'the test command can no longer fail'
  if (isShell && runs.some(isPiped) && !before.some(isPiped) && !added.some((line) => line.includes('pipefail')))
    return "the test command's result is lost in a pipe"
  const stops = (line: string) => /^set -\w*e|errexit/.test(line)
  if (runs.some(isFollowed) && !before.some(isFollowed) && !added.some(stops))
    return "the test command's result is lost: another command comes after it"
  if (before.some(fails) && runs.some((line) => !fails(line))) return 'the test command can no longer fail'
  if (
    isShell &&
    before.length > 0 &&
    runs.some((line) => asksAlone.test(line)) &&
    !before.some((line) => asksAlone.test(line))
  )
    if (!added.some((line) => handsOn.test(line))) return 'the test command can no longer fail'
  // A line that appears again elsewhere has only moved.
  const there = new Set(runs)
  const gone = before.filter((line) => !there.has(line))
  if (gone.length * runs.length > MOST_COMPARED) return 'more test commands changed than could be compared'
  const narrower = gone.some((old) => runs.some((now) => isNarrower(old, now)) && !runs.some((now) => keeps(old, now)))
  if (narrower) return 'the test command runs fewer tests'
  if (isShell && before.some(fails) && runs.every((line) => !testing.test(says(line)) || onlyBuilds.test(line)))
    if (added.some((line) => code(line) && line.trim() !== '')) return 'the test command no longer runs tests'
  if (runs.some((line) => onlyLists.test(line)) && !removed.some((line) => onlyLists.test(line)))
    return 'the test command only lists tests'
  const emptied = added.some((line) => line.trim() !== '' && isNothing(line))
  if (before.some(fails) && runs.length === 0 && emptied) return 'the test command no longer does anything'
  return isShell && toleratesNow(removed, added) ? 'the test command can no longer fail' : null
}

/** A line that only asks how the tests ended, or only keeps their output; and one that passes a failure on. */
const asksAlone = /^(?:if|while|until) (?!.*\bmake\b)|^\w+=["']?\$\([^()]+\)["']?;?$/
const handsOn = /\b(?:exit|return|false|die)\b|^set -\w*e/
/** A runner from the repository itself, or a module beside the tests that replaces all others. */
const ofItsOwn =
  /["']?\b(?:runner|testRunner|testSequencer)["']?\s*:\s*["'](?:\.|<rootDir>)|["']\^\\{0,2}\.[^"']{0,100}["']\s*:\s*["'](?!\$|[^"']*\$1)|["']?(?<![\w@/.-])(?:vitest|@vitest\/\w+|chai|deep-eql|assertion-error|jest|mocha|ava|sinon|@jest\/[\w-]+|expect|node:test|(?:node:)?assert)["']?\s*:\s*(?:["'](?:\.{1,2}\/|<rootDir>|(?:file|link|portal):)|path\.|resolve\(|fileURLToPath)/
/** The script exits with success in any case. */
const trapped = /^trap (["']?)(?:.*[;&] ?)?exit 0\1 (?:.* )?(?:EXIT|0)\b/
/** A shell script with such a last line succeeds whatever happened before. */
const endsWell = (lines: readonly string[]): boolean => /^(?:true|:|exit 0)$/.test(lines.findLast(Boolean) ?? '')
/** After a `;`, the last command also hides the result of the one before. */
const isFollowed = (line: string): boolean => {
  const last =
    /^(.*?\S) ?; ?(?:cat|tail|head|grep|echo|printf|ls|date|wc|sleep|touch|rm|cp|mv|sed|awk|cd|wait)\b[^;&|]*$/
  return testing.test(last.exec(line.replace(/(["']).*?\1/g, ''))?.[1] ?? '')
}

/** It only asks a tool for its name or version. */
const asksNothing =
  /^(?:npx |pnpm |yarn )?\S+ (?:--version|--help|-v|-h)$|^node (?:-e|-p|--eval)\s|^@?php -r\b|^(?:cat|head|tail|type) \S+$/
/** It compiles, looks or prints, and runs no test. */
const onlyBuilds =
  /\bcargo (?:check|build|clippy)\b|\bgo test\b.* (?:-count[= ]0\b|-c\b|-args?\b.*-test\.(?:run|skip|list))|\bcargo\b.*--config\b.*\brunner\b|\bmvnw?\b.* (?:test-)?compile\b|\bgo (?:vet|build)\b|\bmake (?:.* )?(?:-n|--dry-run|--just-print)\b/
const onlyLists = /--(?:gtest_)?list[-_]tests\b|\bctest\b.* -N\b/

const parts = (command: string): string[] =>
  command.split(/\s*(?:&&|;)\s*/).map((part) => part.trim().replace(/\s+/g, ' '))

/** The most parts that are searched for in all commands; any further ones only match whole commands. */
const MOST_SEARCHED = 200

/** Whether one of these commands contains a given part. */
function searchOf(commands: readonly string[]): (part: string) => boolean {
  const whole = new Set(commands.flatMap(parts))
  let searched = 0
  return (part) =>
    whole.has(part) || (++searched <= MOST_SEARCHED && commands.some((command) => command.includes(part)))
}

/** The same command with a choice of tests, or without parts that no other command has. */
function isNarrower(old: string, now: string, isElsewhere: (part: string) => boolean = () => false): boolean {
  const [before, after] = [parts(old), parts(now)]
  if (after.length < before.length && after.every((part) => before.includes(part)))
    return before.some((part) => !after.includes(part) && testing.test(part) && !isElsewhere(part))
  return before.some(
    (part) => testing.test(part) && !after.includes(part) && after.some((other) => choosesOf(part, other)),
  )
}

const keeps = (old: string, now: string): boolean =>
  !choosesOf(old, now) &&
  old
    .trim()
    .split(/\s+/)
    .every((word) => now.split(/\s+/).includes(word))

function choosesOf(old: string, now: string): boolean {
  const everywhere = ' ./...'
  if (old.includes(everywhere) && /\bgo test\b/.test(now) && !now.includes(everywhere)) return true
  const [words, others] = [old.trim().split(/\s+/), now.trim().split(/\s+/)]
  if (/\bcargo test$/.test(old.trim()) && /\bcargo test [^-]/.test(now)) return true
  if (words[0] !== others[0] || words.some((word) => !others.includes(word))) return false
  const more = others.filter((word) => !words.includes(word))
  if (more.some((word) => choosesTests(word, others))) return true
  const ownPaths = words.slice(1).some((word) => /[/.*]/.test(word) && !word.startsWith('-'))
  return !ownPaths && more.some((word) => isPath(word) && !others[others.indexOf(word) - 1]?.startsWith('-'))
}

const isPath = (word: string): boolean => /^[\w.@][\w.@-]*\/[\w./@-]*$|^[\w.@/-]+\.(?:[cm]?[jt]sx?|py)$/.test(word)

/** Paths without tests; in a new settings file, also those whose tests belong to another runner. */
const noTests =
  /node_modules|\b(?:dist|build|coverage|venv|vendor|configDefaults)\b|\.(?:git|cache|idea|next|output|tox)\b|^\W*$/
const ofAnotherRunner = /e2e|playwright|cypress/
type IsPlace = (place: string) => boolean
const isNoPlaceOfTests = (place: string, status: string): boolean =>
  noTests.test(place) || (status === 'A' && ofAnotherRunner.test(place))

/** A path added to the runner's `exclude`, unless it never has tests. */
function excludedPath(lines: readonly PatchLine[], isOther: IsPlace): string | undefined {
  const literals = (line: string) => [...line.matchAll(/(["'`])(.{1,200}?)\1/g)].map(([, , text]) => text ?? '')
  const before = new Set(lines.filter(({ sign }) => sign === '-').flatMap(({ plain }) => literals(plain)))
  const isLeftOut = (text: string) => !before.has(text) && !isOther(text)
  let within = false
  for (const [at, { sign, plain }] of lines.entries()) {
    if (sign === '-') continue
    const rest = /\bexclude\s*:\s*(.*)$/.exec(plain)?.[1]
    if (rest !== undefined) within = !isOfCoverage(lines, at)
    else if (plain.startsWith('}')) within = false
    const found = within && sign === '+' ? literals(rest ?? plain).find((text) => isLeftOut(text)) : undefined
    if (found !== undefined) return found
    if (plain.includes(']')) within = false
  }
  return undefined
}

/** A place where the runner no longer looks for tests. */
function narrowedPlace(path: string, lines: readonly PatchLine[], movedFrom: readonly string[]): string | undefined {
  const python = /\.(?:ini|cfg|toml)$/.test(path)
  const key = python
    ? /\b(testpaths|python_files)\s*=\s*(.*)$/
    : /\b(include|testMatch|testRegex|testDir|roots)\s*:\s*(.*)$/
  const placesIn = (sign: '+' | '-') =>
    lines.flatMap((line, at) => {
      const [, name = '', rest = ''] = (line.sign === sign && key.exec(line.plain)) || []
      if (name === '' || isOfCoverage(lines, at)) return []
      const quoted = [...rest.matchAll(/(["'`])(.{1,200}?)\1/g)].map(([, , text]) => text ?? '')
      return [{ name, paths: quoted.length > 0 ? quoted : python ? rest.split(' ') : [] }]
    })
  const fixed = (place: string) => place.split(/[*{]/, 1)[0] ?? ''
  const now = placesIn('+')
  for (const { name, paths } of placesIn('-')) {
    const open = now.filter((one) => one.name === name).flatMap((one) => one.paths)
    const isOpen = (place: string) => open.some((other) => fixed(place).startsWith(fixed(other)))
    const isMoved = (place: string) => movedFrom.some((former) => former.startsWith(fixed(place)))
    const lost = paths.find((place) => open.length > 0 && !isOpen(place) && !isMoved(place))
    if (lost !== undefined) return lost
  }
  return undefined
}

/** New patterns for names of tests that match no usual name. */
function newPatterns(added: readonly string[]): string | undefined {
  for (const line of added) {
    const patterns = /^python_(?:files|functions|classes)\s*=\s*(.+)$/.exec(line)?.[1]
    if (patterns !== undefined && !/test|check|spec|\*["'\]]*$/i.test(patterns)) return 'files of the usual names'
    // In these settings a name is complete, not just a beginning.
    const whole = /^python_(?:functions|classes)\s*=\s*(.+)$/.exec(line)?.[1]?.match(/[\w*?]+/g) ?? []
    if (whole.length > 0 && whole.every((name) => /^[a-zA-Z]+_\w{2,}$/.test(name))) return 'tests of the usual names'
  }
  const given =
    /\b(?:testMatch|testRegex|specPattern)["']?\s*:\s*(\[[^\]]{0,1000}\]|"[^"]{0,300}"|'[^']{0,300}'|\/[^/\n]{1,300}\/)/
  const names = given.exec(added.join(' ').slice(0, 20_000))?.[1]
  return names !== undefined && !/test|spec|e2e|cy\b/i.test(names) ? 'files of the usual names' : undefined
}

/** Whether a line is about measured coverage, rather than about tests that run. */
function isOfCoverage(lines: readonly PatchLine[], at: number): boolean {
  for (let up = at; up >= 0 && up > at - 20; up--) {
    const plain = lines[up]?.plain ?? ''
    if (/\b(?:coverage|optimizeDeps|typecheck)\b.*\{/.test(plain)) return true
    if (up < at && plain.startsWith('}')) return false
  }
  return false
}

/** The option leaves out a path, rather than tests by their names. */
const takesPath = /ignore|exclude|norecursedirs/i

/** The word in a line that leaves tests out, unless its path has none. */
function optionIn(line: string, isNone: IsPlace, isOther: IsPlace): string | undefined {
  const found = leavesOut.exec(line)
  if (!found) return undefined
  const rest = line.slice(found.index + found[0].length).split(/[\s,"'`[\]=:]+/)
  const paths = rest.filter((word) => /\w/.test(word))
  return paths.length > 0 && paths.every(takesPath.test(found[0]) ? isOther : isNone) ? undefined : found[0]
}

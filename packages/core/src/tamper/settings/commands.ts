import { patchLines, type ChangedFile, type PatchLine } from '../patch.ts'
import { isRunnerSetting } from './runner-settings.ts'
import { replacesRunner } from '../subverted.ts'
import { cannotFail, isNothing, isPiped } from './command-ends.ts'
import { weakTarget, toleratesNow } from './tolerated.ts'

/*
 * Files that say what "run the tests" means. A command there is weakened when it can no longer fail, no longer does
 * anything, or begins to leave tests out.
 */

const scriptFile =
  /(?:^|\/)(?:package\.json|composer\.json|beadloom\.json|GNUmakefile|[Mm]akefile|[^/]*\.mk|[Jj]ustfile|Taskfile\.ya?ml|tox\.ini|noxfile\.py|Rakefile|build\.gradle(?:\.kts)?|pom\.xml|mvnw|gradlew|manage\.py)$|(?:^|\/)[^/]*(?:test|check|verify|ci)[^/]*\.sh$|(?:^|\/)(?:bin|scripts?|tools|ci|dev|hack|build)\/(?:[^/.]*[-_])?(?:tests?|check|verify|ci|cibuild)(?:[-_][^/.]*)?$/
const runnerSettings =
  /(?:^|\/)(?:(?:vitest|vite|jest|playwright|cypress|ava|karma)\.(?:config|conf|workspace)\.[cm]?[jt]s|jest\.config\.json|\.mocharc(?:\.\w+)?|pytest\.ini|setup\.cfg|tox\.ini|pyproject\.toml|conftest\.py|package\.json|beadloom\.json)$/

const testing =
  /--target[ =]\S*(?:test|check)|\bmake(?: -\S+)* \S*(?:test|check)|(?:^|\W)(?:test|tests|check|verify|vitest|jest|mocha|ava|playwright|cypress|pytest|unittest|tox|nose2|rspec|phpunit|ctest|bats|tsc|eslint|lint)(?:$|[^\w-])/

const leavesOut =
  /--collect-only|--co(?=["'\s]|$)|--setup-(?:only|plan)|--listTests|\baddopts\s*=.*\s-k\s|--passWithNoTests|--lfnf|--last-failed|--lf(?=[\s"']|$)|--pass-with-no-tests|passWithNoTests|testPathIgnorePatterns|collect_ignore|--deselect|--ignore(?:-glob)?[=\s]|--testPathIgnorePatterns|--exclude[=\s]|-k\s*["'\\]*not\s|-DskipTests|maven\.test\.skip|--no-run\b|--bail\s*=?\s*0|continue-on-error|\b(?:testIgnore|testNamePattern|norecursedirs|pytest_ignore_collect|modulePathIgnorePatterns|grepInvert)\b|["']?(?:dry-?[rR]un|pass-on-failing-test-suite|passOnFailingTestSuite)["']?\s*:\s*true|["'](?:f?grep|match)["']\s*:|-m\s*["'\\]*not\s|\bitems\[:\]\s*=|add_marker\(\s*pytest\.mark\.(?:skip|xfail)/

const jsonEntry = /"([^"\\]{1,100})"\s*:\s*"((?:[^"\\]|\\.)*)"/g
const testScript = /^(?:test|tests|check|verify|lint|typecheck|build|command|setup|ci)(?:[:_-].*)?$/

export const definesTests = (path: string): boolean =>
  scriptFile.test(path) || runnerSettings.test(path) || isRunnerSetting(path) || replacesRunner(path)

/**
 * Sentences about test commands that a change to one file weakened.
 *
 * @param name the file's name in them
 * @param movedFrom former paths of tests that the change moves: settings go with them
 */
export function weakenedCommands(
  { path, status, patch }: ChangedFile,
  name: string,
  movedFrom: readonly string[] = [],
): string[] {
  if (status === 'D' || !definesTests(path)) return []
  const lines = patchLines(patch)
  const removed = lines.filter(({ sign }) => sign === '-').map(({ plain }) => plain)
  const added = lines.filter(({ sign }) => sign === '+').map(({ plain }) => plain)
  const found: string[] = []
  if (runnerSettings.test(path)) {
    const before = new Set(removed.flatMap((line) => leavesOut.exec(line)?.[0] ?? []))
    const option = added.map((line) => optionIn(line, status)).find((word) => word && !before.has(word))
    const excluded = option ? undefined : excludedPath(lines, status)
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

/** What a script that a check starts no longer does. */
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

/** A wrapper of a build, or Django's program: what it starts at its end, and whether it comes to it. */
function emptiedStart(removed: readonly string[], added: readonly string[]): boolean {
  const starts = /^exec\b|\bexecute_from_command_line\(|\bexec "?\$/
  const lost = removed.some((line) => starts.test(line)) && !added.some((line) => starts.test(line))
  return lost || (added.some((line) => endsAtOnce.test(line)) && !removed.some((line) => endsAtOnce.test(line)))
}

/** `npm run unit` in the place of what it stands for. */
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

/** Each test command that went is compared with each that came: hundreds of each are no change to a recipe. */
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
  // A line that is there again, elsewhere, is what it was.
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

/** How the tests ended is only asked, or what they printed only kept; and what hands a failure on. */
const asksAlone = /^(?:if|while|until) (?!.*\bmake\b)|^\w+=["']?\$\([^()]+\)["']?;?$/
const handsOn = /\b(?:exit|return|false|die)\b|^set -\w*e/
/** A runner out of the repository; a module beside the tests that stands for all others. */
const ofItsOwn =
  /["']?\b(?:runner|testRunner|testSequencer)["']?\s*:\s*["'](?:\.|<rootDir>)|["']\^\\{0,2}\.[^"']{0,100}["']\s*:\s*["'](?!\$|[^"']*\$1)|["']?\b(?:vitest|chai|jest|mocha|@jest\/globals|expect|node:test|(?:node:)?assert)["']?\s*:\s*(?:["'](?:\.{1,2}\/|<rootDir>|(?:file|link|portal):)|path\.|resolve\(|fileURLToPath)/
/** However the script ends, it says that it succeeded. */
const trapped = /^trap (["']?)(?:.*[;&] ?)?exit 0\1 (?:.* )?(?:EXIT|0)\b/
/** Whatever came before, a shell script that ends in this succeeded. */
const endsWell = (lines: readonly string[]): boolean => /^(?:true|:|exit 0)$/.test(lines.findLast(Boolean) ?? '')
/** Nor how the one before the last ended, where a `;` is between them. */
const isFollowed = (line: string): boolean => {
  const last =
    /^(.*?\S) ?; ?(?:cat|tail|head|grep|echo|printf|ls|date|wc|sleep|touch|rm|cp|mv|sed|awk|cd|wait)\b[^;&|]*$/
  return testing.test(last.exec(line.replace(/(["']).*?\1/g, ''))?.[1] ?? '')
}

/** It asks a tool for nothing but its name. */
const asksNothing =
  /^(?:npx |pnpm |yarn )?\S+ (?:--version|--help|-v|-h)$|^node (?:-e|-p|--eval)\s|^@?php -r\b|^(?:cat|head|tail|type) \S+$/
const chooses =
  /^(?:--collect-only|--co|-list|--list|--list-tests|--listTests|--dry-run|-t|-k|-g|-o|-run|--run|--grep|--filter|--testNamePattern|--testPathPattern|--test-name-pattern|--changed|--onlyChanged|--related|--shard|--lib|--tests-by|--no-run|--ignored|--exact|--skip|--doc|--bins?|--examples?|--benches|-p|--package|-f|--file|-pl|-R|-E|-L|-LE|--gtest_filter|-fn|--fail-never|-D(?:test|it\.test|groups|excludedGroups|skip(?:Tests|ITs)|maven\.test\.[\w.]+))(?:[=\s]|$)/
/** It compiles, looks or shows, and runs no test. */
const onlyBuilds =
  /\bcargo (?:check|build|clippy)\b|\bgo test\b.* (?:-count[= ]0\b|-c\b|-args?\b.*-test\.(?:run|skip|list))|\bcargo\b.*--config\b.*\brunner\b|\bmvnw?\b.* (?:test-)?compile\b|\bgo (?:vet|build)\b|\bmake (?:.* )?(?:-n|--dry-run|--just-print)\b/
const onlyLists = /--(?:gtest_)?list[-_]tests\b|\bctest\b.* -N\b/

const parts = (command: string): string[] =>
  command.split(/\s*(?:&&|;)\s*/).map((part) => part.trim().replace(/\s+/g, ' '))

/** So many parts are searched for in all commands; past it only whole ones count. */
const MOST_SEARCHED = 200

/** Whether one of these commands has a part of another one. */
function searchOf(commands: readonly string[]): (part: string) => boolean {
  const whole = new Set(commands.flatMap(parts))
  let searched = 0
  return (part) =>
    whole.has(part) || (++searched <= MOST_SEARCHED && commands.some((command) => command.includes(part)))
}

/** The same command with a choice of tests, or with parts of it left out that are in no other. */
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
  if (more.some((word) => chooses.test(word))) return true
  const ownPaths = words.slice(1).some((word) => /[/.*]/.test(word) && !word.startsWith('-'))
  return !ownPaths && more.some((word) => isPath(word) && !others[others.indexOf(word) - 1]?.startsWith('-'))
}

const isPath = (word: string): boolean => /^[\w.@][\w.@-]*\/[\w./@-]*$|^[\w.@/-]+\.(?:[cm]?[jt]sx?|py)$/.test(word)

/** Where tests never are; in a new file of settings also those that another runner has. */
const noTests =
  /node_modules|\b(?:dist|build|coverage|venv|vendor|configDefaults)\b|\.(?:git|cache|idea|next|output|tox)\b|^\W*$/
const ofAnotherRunner = /e2e|playwright|cypress/
const isNoPlaceOfTests = (place: string, status: string): boolean =>
  noTests.test(place) || (status === 'A' && ofAnotherRunner.test(place))

/** A path that the runner's `exclude` got, which is not one where tests never are. */
function excludedPath(lines: readonly PatchLine[], status: string): string | undefined {
  const literals = (line: string) => [...line.matchAll(/(["'`])(.{1,200}?)\1/g)].map(([, , text]) => text ?? '')
  const before = new Set(lines.filter(({ sign }) => sign === '-').flatMap(({ plain }) => literals(plain)))
  const isLeftOut = (text: string) => !before.has(text) && !isNoPlaceOfTests(text, status)
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

/** Where the runner looked for tests and no longer does. */
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

/** New names of tests that none of the usual ones has. */
function newPatterns(added: readonly string[]): string | undefined {
  for (const line of added) {
    const patterns = /^python_(?:files|functions|classes)\s*=\s*(.+)$/.exec(line)?.[1]
    if (patterns !== undefined && !/test|check|spec|\*["'\]]*$/i.test(patterns)) return 'files of the usual names'
    // Whole names, where the usual ones are beginnings.
    const whole = /^python_(?:functions|classes)\s*=\s*(.+)$/.exec(line)?.[1]?.match(/[\w*?]+/g) ?? []
    if (whole.length > 0 && whole.every((name) => /^[a-zA-Z]+_\w{2,}$/.test(name))) return 'tests of the usual names'
  }
  const given =
    /\b(?:testMatch|testRegex|specPattern)["']?\s*:\s*(\[[^\]]{0,1000}\]|"[^"]{0,300}"|'[^']{0,300}'|\/[^/\n]{1,300}\/)/
  const names = given.exec(added.join(' ').slice(0, 20_000))?.[1]
  return names !== undefined && !/test|spec|e2e|cy\b/i.test(names) ? 'files of the usual names' : undefined
}

/** It is about what is measured, not about what runs. */
function isOfCoverage(lines: readonly PatchLine[], at: number): boolean {
  for (let up = at; up >= 0 && up > at - 20; up--) {
    const plain = lines[up]?.plain ?? ''
    if (/\b(?:coverage|optimizeDeps|typecheck)\b.*\{/.test(plain)) return true
    if (up < at && plain.startsWith('}')) return false
  }
  return false
}

/** The word with which a line leaves tests out, unless there are none where it says. */
function optionIn(line: string, status: string): string | undefined {
  const found = leavesOut.exec(line)
  if (!found) return undefined
  const rest = line.slice(found.index + found[0].length).split(/[\s,"'`[\]=:]+/)
  const paths = rest.filter((word) => /\w/.test(word))
  return paths.length > 0 && paths.every((path) => isNoPlaceOfTests(path, status)) ? undefined : found[0]
}

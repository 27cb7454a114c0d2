import { keptFromFailing, lostInCMake } from './cmake-tests.ts'
import { patchLines, removedTexts, type ChangedFile } from '../patch.ts'
import { above, FAR, nearestAbove, onceFor, word, type Around, type Lines } from './setting-lines.ts'

/*
 * Builds of compiled languages whose settings choose the tests: Maven and Gradle, Cargo, CMake. Only new lines count.
 * Their place shows which plugin they configure, as one plugin's `skip` is not another's.
 */

const POM = /(?:^|\/)pom\.xml$/
const MAVEN_ARGUMENTS = /(?:^|\/)\.mvn\/(?:maven|jvm)\.config$/
const GRADLE = /(?:^|\/)(?:[^/]*\.gradle(?:\.kts)?|gradle\.properties)$/
const PLATFORM = /(?:^|\/)junit-platform\.properties$/
const CARGO = /(?:^|\/)Cargo\.toml$/
const RUST_TOOLCHAIN = /(?:^|\/)rust-toolchain(?:\.toml)?$/
const CARGO_CONFIG = /(?:^|\/)\.cargo\/config(?:\.toml)?$/
const BUILD_RS = /(?:^|\/)build\.rs$/
const GO_MOD = /(?:^|\/)go\.(?:mod|work)$/
const CMAKE = /(?:^|\/)(?:CMakeLists\.txt|[^/]*\.cmake)$/
const MESON = /(?:^|\/)meson\.build$/
const RSPEC = /(?:^|\/)\.rspec$/
const PHPUNIT = /(?:^|\/)phpunit(?:\.dist)?\.xml(?:\.dist)?$/
const MSBUILD = /(?:^|\/)(?:[^/]*\.(?:cs|fs|vb)proj|Directory\.Build\.(?:props|targets)|[^/]*\.runsettings)$/
const MIX = /(?:^|\/)mix\.exs$/
const RAKEFILE = /(?:^|\/)Rakefile$/
const COMPOSER = /(?:^|\/)composer\.json$/
const GO_ENV = /(?:^|\/)go\.env$/
const NPMRC = /(?:^|\/)\.npmrc$/
const VITEST = /(?:^|\/)(?:vitest|vite)\.(?:config|workspace)\.[cm]?[jt]s$/
const PLAYWRIGHT = /(?:^|\/)playwright\.config\.[cm]?[jt]s$/
const NEXTEST = /(?:^|\/)\.config\/nextest\.toml$/
/** Settings for repeating a failing test. */
const TRIES =
  /(?:^|\/)(?:(?:vitest|vite|jest|playwright|cypress|ava|karma)\.(?:config|conf|workspace|setup)\.[cm]?[jt]s|\.mocharc(?:\.\w+)?|package\.json|pytest\.ini|setup\.cfg|tox\.ini|pyproject\.toml|[Mm]akefile|[^/]*\.sh|pom\.xml|\.config\/nextest\.toml|[^/]*set-?up[\w.-]*\.[cm]?[jt]s)$/i
/** Files with commands. */
const RECIPES =
  /(?:^|\/)(?:package\.json|GNUmakefile|[Mm]akefile|[^/]*\.(?:mk|sh)|[Jj]ustfile|Taskfile\.ya?ml|tox\.ini|noxfile\.py|Rakefile)$/

/** Whether a file has a runner's settings, by its name; files that hold much else do not count. */
export const isRunnerSetting = (path: string): boolean =>
  NEXTEST.test(path) || rules.some(({ file }) => file !== TRIES && file !== RECIPES && file.test(path))

/** The word in a new line that keeps tests from running or failing, by the kind of file. */
type Rule = { file: RegExp; found: (lines: Lines, at: number, around: Around) => string | undefined }

const NEAR = 40
const SKIPS = 'maven\\.test\\.skip(?:\\.exec)?|skipTests|skipITs|maven\\.test\\.failure\\.ignore|testFailureIgnore'

const inRecipes = word(
  /\b(PYTHONOPTIMIZE) ?[:=]|\b(python[\d.]* -O{1,2})\b|\b(PYTEST_ADDOPTS) ?:?=.*(?:-k|-m|--ignore|--deselect|--co)|\b(?:vitest|jest)\b.*\s(-u|--update(?:Snapshot)?|--ci=false|--dangerouslyIgnoreUnhandledErrors)\b|(--snapshot-update|--force-regen)\b|\b(INSTA_(?:UPDATE|FORCE_PASS)|UPDATE_(?:GOLDEN|SNAPSHOTS?|EXPECT))\w* ?:?=|\b(MAVEN_(?:ARGS|OPTS)) ?:?=.*-D(?:skipTests|maven\.test)|\b(GOFLAGS) ?:?=.*-(?:run|skip|short)|^(SHELL) ?:?= ?\S*\/?(?:true|echo)\b|^(\.IGNORE)\b|^(MAKEFLAGS) ?\+?:?=.*(?:^|\s)-?-(?:i\b|ignore-errors)|^[\w.-]+ ?: ?(\w+) ?:?= ?(?:echo|:)$|^[\w.-]+ ?: ?(\w*(?:PY|TEST|RUN|CMD|EXEC|GO|CARGO|NPM|NODE|MVN|GRADLE)\w*) ?:?= ?true$|\bgo test\b.* -(skip|overlay|list)[ =]|\bgo test\b.* -(exec)[ =](?!.*(?:sudo|qemu|wasm|wine))|\b(NODE_OPTIONS) ?:?=.*(?:require|import|loader)[ =]["']?\.{0,2}\//,
)

const skipsOfMaven = word(new RegExp(`<(${SKIPS})>\\s*true`))
const wasThere = onceFor((lines: Lines) => lines.some(({ sign }) => sign !== '+'))
const hasModules = onceFor((lines: Lines) => lines.some(({ plain }) => plain.includes('<modules>')))
const lostServer = onceFor((lines: Lines) =>
  lines.some(({ sign, plain }) => sign === '-' && /\bcommand: ?["'`]/.test(plain)),
)

const rules: readonly Rule[] = [
  {
    file: NPMRC,
    found: word(/^(script-shell) ?=|^(node-options) ?=.*--?(?:r|require|import|loader|experimental-loader)[ =]/),
  },
  {
    file: VITEST,
    found: word(
      /\b(dangerouslyIgnoreUnhandledErrors) ?: ?true\b|^(update) ?: ?(?:true|["']all["'])|\b(pure|drop|dropLabels) ?: ?\[.*(?:expect|assert)|\b(define) ?: ?\{ ?["']?(?!global\b|__|[A-Z_]+\b)\w+["']? ?:|\b(transform)\b.*\.replace(?:All)?\(.*(?:expect|assert|\.to\b|\.to\[)/,
    ),
  },
  {
    file: PLAYWRIGHT,
    found: (lines, at) =>
      word(
        /\b(ignoreSnapshots) ?: ?true|\b(maxDiffPixelRatio|threshold) ?: ?(?:1\b|0?\.[5-9])|\b(updateSnapshots) ?: ?["'](?:all|changed)/,
      )(lines, at) ??
      // The tested server was the project's own, and is now one of the tests' files.
      (lostServer(lines)
        ? word(/\b(command): ?["'`].*\b(?:e2e|tests?|mocks?|fakes?|fixtures)\//)(lines, at)
        : undefined),
  },
  {
    file: TRIES,
    found: word(
      /["']?\b(retry|retries)["']? ?[:=] ?(?:[3-9]|\d\d+)\s*(?:[,;})]|$)|--(retries|reruns|retry)[= ](?:[3-9]|\d\d+)\b|\bjest\.(retryTimes)\((?:[3-9]|\d\d)|<(rerunFailingTestsCount)>(?:[3-9]|\d\d)|\bthis\.(retries)\((?:[3-9]|\d\d)/,
    ),
  },
  {
    file: RECIPES,
    found: (lines, at) => {
      const found = inRecipes(lines, at)
      return found === undefined || isForUpdates(lines, at) ? undefined : found
    },
  },
  {
    file: POM,
    found: (lines, at) => {
      const skips = skipsOfMaven(lines, at)
      if (skips !== undefined) return isOfQuietProfile(lines, at) ? undefined : skips
      const plain = lines[at]?.plain ?? ''
      const own =
        /<(skip|excludes?|includes?|groups|excludedGroups|suiteXmlFiles|test|additionalClasspathElements?|testClassesDirectory|classesDirectory|dependenciesToScan)>/.exec(
          plain,
        )?.[1]
      if (own !== undefined && isOfTestPlugin(lines, at)) return isOfQuietProfile(lines, at) ? undefined : own
      const engine = /<exclusion>.*<artifactId>(junit-jupiter-engine)</.exec(plain)?.[1]
      if (engine !== undefined) return engine
      const uncompiled = /<(testExcludes?|testIncludes?)>/.exec(plain)?.[1]
      if (uncompiled !== undefined) return uncompiled
      const property =
        /<(test|it\.test|groups|excludedGroups|surefire\.(?:includes?|excludes?)\w*|failsafe\.(?:includes?|excludes?)\w*)>/.exec(
          plain,
        )?.[1]
      if (property !== undefined && isProperty(lines, at)) return property
      if (!wasThere(lines)) return undefined
      const calmed =
        /<(enableAssertions)>\s*false|<(argLine)>.*(?:-javaagent:(?![^<]*\$\{)|-Xbootclasspath|--patch-module)|<(classpathDependencyExcludes?)>/.exec(
          plain,
        )
      const runsNever = /<(phase)>\s*none/.test(plain) && isOfTestPlugin(lines, at) ? 'phase' : undefined
      if (calmed !== null || runsNever !== undefined) return runsNever ?? calmed?.slice(1).find(Boolean)
      const elsewhere = /<(testSourceDirectory)>(?!.*src\/test\/)|<(sourceDirectory)>(?!.*(?:src\/main|\$\{))/
        .exec(plain)
        ?.slice(1)
        .find(Boolean)
      const parent = /<packaging>pom</.test(plain) && !hasModules(lines)
      return elsewhere ?? (parent ? 'packaging' : undefined)
    },
  },
  {
    file: GO_MOD,
    found: word(
      /^(?:replace )?((?:github\.com\/(?:stretchr\/testify|google\/go-cmp|onsi\/\w+|frankban\/quicktest|matryer\/is)|gotest\.tools)(?:\/v\d+)?)(?: v\S+)? => (?!\1(?: |$))/,
    ),
  },
  { file: GO_ENV, found: word(/^(GOFLAGS)=.*-(?:run|skip|exec|short|overlay)/) },
  {
    file: MESON,
    found: (lines, at) =>
      word(
        /\b(should_fail) ?: ?true|\b(b_ndebug)=true|\btest\(.*\bfind_program\(["'](true|echo|sh|bash)["']|\bbuildtype=release\b.*\b(b_ndebug)=if-release/,
      )(lines, at) ??
      // A release is built without assertions; a test is not.
      (lines.slice(Math.max(0, at - 2), at).some(({ plain }) => /release|buildtype/.test(plain))
        ? undefined
        : word(/\badd_(?:project|global)_arguments\(.*-D ?(NDEBUG)\b/)(lines, at)),
  },
  {
    file: RSPEC,
    found: word(/^--(dry-run)\b|^--(failure-exit-code) 0\b|^--?(example|tag|pattern|exclude-pattern|e|t|P)\b/),
  },
  { file: PHPUNIT, found: word(/\b(failOn\w+|beStrictAbout\w+)="false"/) },
  {
    file: MSBUILD,
    found: word(
      /<(IsTestProject)>\s*false|<Compile (Remove)="(?![^"]*[tT]ests?[\\/]\*\*)[^"]*[tT]est|<(VSTestTestCaseFilter|RunSettingsFilePath|TestCaseFilter)>|<Target Name="(VSTest|Test)"/,
    ),
  },
  {
    file: MIX,
    found: word(
      /\b(test): ?"(?!test\b)|\b(test): ?\[[^\]]*"test [^"]*--(?:only|exclude|include|failed|stale)|\b(test_pattern|test_paths):|\b(elixirc_paths): ?\["test\//,
    ),
  },
  {
    file: RAKEFILE,
    found: word(
      /\bTask\[:?["']?test["']?\]\.(clear)\b|\b(ruby_opts) ?= ?.*-r ?\.|\boptions ?= ?.*(--name|-n |--exclude)/,
    ),
  },
  {
    file: COMPOSER,
    found: word(/"(?![^"]*(?:[tT]est|Fixture|Spec\b|Factor|Seeder|Bench))([\w\\]+)" ?: ?"(?:tests?|spec)\//),
  },
  {
    file: MAVEN_ARGUMENTS,
    found: word(new RegExp(`-D(${SKIPS}|test|it\\.test|groups|excludedGroups|surefire\\.[\\w.]+)(?=[=\\s]|$)`)),
  },
  {
    file: GRADLE,
    found: (lines, at) =>
      word(
        /\b(ignoreFailures) ?=? ?true\b|\.(ignoreFailures)\.set\(true\)|-x[, "']+(test|check)\b|\bsourceSets\b.*\bmain\b.*\b(setSrcDirs|srcDirs ?=)(?!.*src\/main)|\b(dryRun)\.enabled\b/,
      )(lines, at) ??
      (isOfGradleTests(lines, at)
        ? word(
            /\b(enabled) ?= ?false\b|\b(onlyIf) ?\{ ?false|^(exclude|include|excludeTags|excludeTestsMatching)\b|\b(isEnabled) ?= ?false|\b(actions\.clear)\b/,
          )(lines, at)
        : undefined),
  },
  {
    file: PLATFORM,
    found: word(/\b(dryRun\.enabled) ?= ?true|^(junit\.platform\.[\w.]*(?:include|exclude)[\w.]*) ?=/),
  },
  {
    file: CARGO,
    found: (lines, at, around) => {
      const found = word(
        /^(autotests|harness|test|debug-assertions|overflow-checks) ?= ?false\b|^(required-features) ?=|^(path) ?=/,
      )(lines, at)
      if (found === undefined || found === 'autotests') return found
      const { head, name } = tableOf(lines, at)
      if (/^(?:debug|overflow)-/.test(found)) return /^\[profile\.(?:test|dev)\]$/.test(head) ? found : undefined
      // A benchmark has its own harness, and a new test may have one, too.
      if (head === '[lib]') return found === 'test' ? '[lib] test' : undefined
      return head === '[[test]]' && !newTestsOfCargo(around).has(name) ? `[[test]] ${found}` : undefined
    },
  },
  { file: RUST_TOOLCHAIN, found: word(/^(path) ?=/) },
  {
    file: CARGO_CONFIG,
    found: word(
      /^(test|t) ?= ?["[](?!.*\b(?:test|nextest)\b)|^(runner) ?= ?(?!.*(?:qemu|wasm|wine|probe-rs|node\b|miri|espflash|simctl))|^(linker) ?= ?"(?:\.{0,2}\/|[^"]*\.(?:sh|py)")|^(rustc(?:-workspace)?-wrapper|rustc|rustdoc) ?= ?(?!.*(?:sccache|ccache|clippy))/,
    ),
  },
  {
    file: BUILD_RS,
    found: word(
      /\b(?:write|create|copy|remove_file|rename)\([^;]*["'](?:[^"']*\/)?(tests?\/[^"']*)["']|\b(parent_id)\(\)/,
    ),
  },
  {
    file: CMAKE,
    found: keptFromFailing,
  },
]

/** A sentence for the first such line of a file, if there is one. */
export function weakSettings({ path, status, patch }: ChangedFile, name: string, around: Around): string[] {
  if (path.endsWith('go.mod') && status === 'A' && movedInto(path.slice(0, -'go.mod'.length), around))
    return [`${name} makes tests that were there a module of their own, which ./... leaves out`]
  const own = rules.filter(({ file }) => file.test(path))
  if (own.length === 0) return []
  const lines = patchLines(patch)
  const before = removedTexts(lines)
  for (const [at, { sign, plain }] of lines.entries()) {
    if (sign !== '+' || before.has(plain) || isComment(path, plain)) continue
    const found = own.map((rule) => rule.found(lines, at, around)).find((one) => one !== undefined)
    if (found !== undefined) return [`${name} keeps tests from running, or from failing (${found})`]
  }
  const lost = CMAKE.test(path) ? lostInCMake(lines, around) : undefined
  return lost === undefined ? [] : [`${name} runs fewer tests (not ${lost})`]
}

/** Whether the name of a script or target says that it rewrites expected results. */
function isForUpdates(lines: Lines, at: number): boolean {
  const updates = /update|snap|bless|golden|regen/i
  const [key] = /^"[^"]{1,100}" ?:/.exec(lines[at]?.plain ?? '') ?? []
  const target = nearestAbove(lines, at, /^[\w.-]+ ?:(?!=)/)
  return updates.test(key ?? target ?? '')
}

/** The names of new files that Cargo considers tests. */
const newTestsOfCargo = onceFor(
  ({ fresh }: Around) =>
    new Set(fresh.flatMap((path) => /(?:^|\/)tests\/([\w-]+)(?:\.rs|\/main\.rs)$/.exec(path)?.[1] ?? [])),
)

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** New files by folder; and for each name of removed files, its first and last path. */
const byPlace = onceFor(({ fresh, gone }: Around) => {
  const freshIn = new Map<string, string[]>()
  for (const path of fresh) {
    const names = freshIn.get(folderOf(path))
    if (names === undefined) freshIn.set(folderOf(path), [nameOf(path)])
    else names.push(nameOf(path))
  }
  const goneOf = new Map<string, [string, string]>()
  for (const path of gone.toSorted()) goneOf.set(nameOf(path), [goneOf.get(nameOf(path))?.[0] ?? path, path])
  return { freshIn, goneOf }
})

/** Whether a file came into a folder from outside. If sorted, all paths below the folder are adjacent. */
function movedInto(folder: string, around: Around): boolean {
  if (folder === '') return false
  const { freshIn, goneOf } = byPlace(around)
  return (freshIn.get(folder) ?? []).some((name) => goneOf.get(name)?.some((path) => !path.startsWith(folder)) === true)
}

const isComment = (path: string, line: string): boolean =>
  POM.test(path)
    ? line.startsWith('<!--')
    : GRADLE.test(path) || BUILD_RS.test(path)
      ? line.startsWith('//')
      : line.startsWith('#')

/** Whether the line is in a profile that is not active by default. */
function isOfQuietProfile(lines: Lines, at: number): boolean {
  const former = above(lines, at)
  const begin = former.findIndex((line) => /<profile>/.test(line))
  const own = `${lines[at]?.plain ?? ''}`
  if (begin < 0 || former.slice(0, begin).some((line) => /<\/profile>/.test(line))) return false
  return !/<activation>/.test([own, ...former.slice(0, begin + 1)].join(' '))
}

/** Whether the line is in `<properties>`, which plugins also read. */
function isProperty(lines: Lines, at: number): boolean {
  const own = lines[at]?.plain ?? ''
  const all = [own, ...above(lines, at).slice(0, NEAR)]
  return /<properties>/.test(all.find((line) => /<\/?(?:properties|configuration|plugin)>/.test(line)) ?? '')
}

function isOfTestPlugin(lines: Lines, at: number): boolean {
  const plain = lines[at]?.plain ?? ''
  const plugin = /<artifactId>[^<]*-plugin<|<\/plugin>(?!.*<plugin>)/
  const nearest = plugin.test(plain) ? plain : nearestAbove(lines, at, plugin, NEAR)
  return nearest !== undefined && /maven-(?:surefire|failsafe)-plugin/.test(nearest)
}

/** Whether the line is in `test { … }`, `tasks.test { … }`, `tasks.withType<Test> { … }`. */
const isOfGradleTests = (lines: Lines, at: number): boolean => {
  const block =
    /^(?:tasks\.)?(?:named\(["']test["']\)|test|integrationTest|withType(?:<Test>|\(Test)|useJUnitPlatform)\b.*\{/
  return block.test(lines[at]?.plain ?? '') || nearestAbove(lines, at, block, NEAR - 1) !== undefined
}

/** The TOML table of a line, and its `name`. */
function tableOf(lines: Lines, at: number): { head: string; name: string } {
  const isHead = (line: string): boolean => line.startsWith('[')
  const former = above(lines, at)
  const begin = former.findIndex(isHead)
  const below: string[] = []
  for (const { sign, plain } of lines.slice(at + 1, at + FAR)) {
    if (sign === '-') continue
    if (isHead(plain)) break
    below.push(plain)
  }
  const table = [...former.slice(0, Math.max(0, begin)), ...below]
  const name = table.flatMap((line) => /^name ?= ?"([\w-]+)"/.exec(line)?.[1] ?? [])[0] ?? ''
  return { head: begin < 0 ? '' : (former[begin] ?? ''), name }
}

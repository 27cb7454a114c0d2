import { shortName } from '../finding-words.ts'
import { patchLines, removedTexts, type ChangedFile } from '../patch.ts'

/*
 * A runner, or a library of assertions, from the repository itself: a new package of its name, a patch of it, or its
 * file. The settings that lead there have many forms; what they lead to has this one.
 */

export const RUNNERS_OF_NODE = String.raw`vitest|@vitest\/[\w-]+|jest|jest-[\w-]+|@jest\/[\w-]+|mocha|chai|ava|tap|tape|uvu|jasmine(?:-core)?|expect|expect-type|deep-eql|assertion-error|loupe|pathval|sinon|fast-check|@playwright\/test|playwright(?:-core)?`
const PYTHON = String.raw`pytest|pluggy|iniconfig|exceptiongroup|hypothesis|nose2?|assertpy|PyHamcrest`
const RUST = String.raw`proptest|quickcheck|pretty_assertions|rstest|insta|assert_cmd|assert_matches|claims?|mockall|test-case`
const RUBY = String.raw`rspec(?:-core|-expectations|-mocks|-support)?|minitest|test-unit`
const PHP = String.raw`phpunit\/[\w-]+|pestphp\/[\w-]+|mockery\/mockery|sebastian\/[\w-]+`
const JVM = String.raw`junit(?:-[\w-]+)?|assertj-core|mockito-core|hamcrest(?:-\w+)?|truth|testng|kotest-[\w-]+|opentest4j`
const DOTNET = String.raw`xunit[\w.]*|NUnit[\w.]*|MSTest[\w.]*|Shouldly|FluentAssertions|Moq`
const GO = String.raw`github\.com\/(?:stretchr\/testify|google\/go-cmp|onsi\/\w+|frankban\/quicktest|matryer\/is)|gotest\.tools\/v3`

/** By the name of a manifest: the line in which a package says what it is called. */
const NAMED: readonly (readonly [RegExp, RegExp])[] = [
  [/(?:^|\/)package\.json$/, new RegExp(`^"name" ?: ?"(${RUNNERS_OF_NODE})"`)],
  [
    /(?:^|\/)(?:pyproject\.toml|setup\.(?:py|cfg))$/,
    new RegExp(String.raw`\bname ?= ?["']?(${PYTHON})["']?(?:,|\)|$)`),
  ],
  [/(?:^|\/)Cargo\.toml$/, new RegExp(`^name ?= ?"(${RUST})"`)],
  [/\.gemspec$/, new RegExp(String.raw`\.name ?= ?["'](${RUBY})["']`)],
  [/(?:^|\/)composer\.json$/, new RegExp(`"name" ?: ?"(${PHP})"`)],
  [/(?:^|\/)pom\.xml$/, new RegExp(`^<artifactId>(${JVM})<`)],
  [/\.(?:cs|fs)proj$/, new RegExp(`<(?:PackageId|AssemblyName)>(${DOTNET})<`)],
  [/(?:^|\/)go\.mod$/, new RegExp(`^module (${GO})(?:/v\\d+)?$`)],
]
const PATCHED = new RegExp(
  String.raw`^["']?(${RUNNERS_OF_NODE})(?:@[^"':]{1,40})?["']? ?: ?["'](?:[^"']{1,200}\.patch|patch:[^"']{1,300})["']`,
)
const PATCH = new RegExp(
  String.raw`(?:^|\/)(?:patches|\.yarn\/patches)\/(${RUNNERS_OF_NODE.replaceAll(String.raw`\/`, '[/+_-]{1,2}')})(?:[+@]|-npm-)[^/]*$`,
)
const FILE = new RegExp(
  String.raw`(?:^|\/)(${JVM}|${DOTNET}|${PYTHON}|${RUBY})[-.]\d[\w.-]*\.(?:jar|nupkg|whl|tar\.gz|tgz|gem)$`,
  'i',
)
const OF_OTHERS = /(?:^|\/)node_modules\//

/** Another package of this name, by npm's alias or from a place that is no registry. */
const ELSEWHERE = new RegExp(
  String.raw`(?:^|[{,] ?)["']?(?:[^"'\s]{0,100}(?:>|\*\*\/))?(${RUNNERS_OF_NODE})(?:@[^"':]{1,40})?["']? ?: ?["']?(?:npm:(?!\1(?:@|["']|$))|(?:github|gitlab|bitbucket|gist|git|git\+\w+|https?|ssh|file|link|portal):|(?![^"']{0,200}\.[cm]?[jt]s)[\w.-]+\/[\w.-]+(?:#|["']|$))`,
)
const FOLDER = /["'](?:file|link|portal):/

/** Whether a file may bring a runner, and is read for nothing else. */
export const mayBringRunner = (path: string): boolean =>
  PATCH.test(path) || /\.gemspec$|(?:^|\/)pnpm-workspace\.yaml$/.test(path)

/** A sentence for a file that brings a runner, or has it patched. */
export function ownRunners({ path, patch, status }: ChangedFile, name: string): string[] {
  if (status === 'D' || OF_OTHERS.test(path)) return []
  const patched = PATCH.exec(path)?.[1]
  if (patched !== undefined) return [`${name} changes ${patched}, by which tests are judged`]
  // The project itself may be one.
  const isWithin = status === 'A' && path.includes('/')
  const pattern = isWithin ? NAMED.find(([file]) => file.test(path))?.[1] : undefined
  const mayPatch = /(?:^|\/)(?:package\.json|pnpm-workspace\.yaml)$/.test(path)
  if (pattern === undefined && !mayPatch) return []
  const lines = patchLines(patch)
  const former = removedTexts(lines)
  const added = lines.filter(({ sign, plain }) => sign === '+' && !former.has(plain)).map(({ plain }) => plain)
  const changed = mayPatch ? added.flatMap((plain) => PATCHED.exec(plain)?.[1] ?? [])[0] : undefined
  if (changed !== undefined) return [`${name} has ${changed} changed, by which tests are judged`]
  const removed = [...former].flatMap((plain) => ELSEWHERE.exec(plain)?.[1] ?? [])
  // In a package.json, a folder is found among the other settings.
  const asked = mayPatch ? added.filter((plain) => !path.endsWith('.json') || !FOLDER.test(plain)) : []
  const elsewhere = asked.flatMap((plain) => ELSEWHERE.exec(plain)?.[1] ?? []).find((one) => !removed.includes(one))
  if (elsewhere !== undefined) return [`${name} takes ${elsewhere}, by which tests are judged, from elsewhere`]
  const said = path.endsWith('pom.xml') ? ownOfPom(added) : added
  const own = pattern && said.flatMap((plain) => pattern.exec(plain)?.[1] ?? [])[0]
  return own === undefined ? [] : [`${name} is a ${own} of the project's own, by which tests would be judged`]
}

/** The lines of a pom without those about other packages. */
function ownOfPom(lines: readonly string[]): string[] {
  let within = ''
  return lines.filter((line) => {
    const opened = within === '' ? /^<(dependency|plugin|parent|exclusion|extension|path)>/.exec(line)?.[1] : undefined
    if (opened !== undefined) within = opened
    const isOther = within !== ''
    if (isOther && line.includes(`</${within}>`)) within = ''
    return !isOther
  })
}

/** The same for the file of a package, which has no lines to read. */
export const broughtRunners = (all: readonly Pick<ChangedFile, 'path' | 'status'>[]): string[] =>
  all.flatMap(({ path, status }) => {
    const own = status === 'A' && !OF_OTHERS.test(path) ? FILE.exec(path)?.[1] : undefined
    return own === undefined
      ? []
      : [`${shortName(path)} is a ${own} of the project's own, by which tests would be judged`]
  })

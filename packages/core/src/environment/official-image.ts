import type { Tool, ToolClaim } from './found.ts'
import { agree, rangeOf, rangeOfClaim } from './version-range.ts'

/*
 * Which official image has a toolchain at a version: those that are made of Debian with glibc and git, as Beadloom needs
 * them (docs/configuration.md). PHP's have no git, so PHP is not here.
 */

type Known = {
  /** Versions that have an image of this form, the newest first. */
  versions: readonly string[]
  image: (version: string) => string
  /** Of a version that is only the oldest, the oldest: newer ones refuse what was built for it. */
  oldest?: true
}

const bookworm = (name: string) => (version: string) => `${name}:${version}-bookworm`

const KNOWN: ReadonlyMap<Tool, Known> = new Map<Tool, Known>([
  ['node', { versions: ['24', '22', '20', '18'], image: bookworm('node') }],
  ['python', { versions: ['3.14', '3.13', '3.12', '3.11', '3.10', '3.9'], image: bookworm('python') }],
  ['go', { versions: ['1.25', '1.24', '1.23', '1.22', '1.21'], image: bookworm('golang') }],
  ['rust', { versions: ['1'], image: bookworm('rust') }],
  [
    'java',
    {
      versions: ['25', '21', '17', '11', '8'],
      image: (version) => `maven:3-eclipse-temurin-${version}`,
      oldest: true,
    },
  ],
  [
    'dotnet',
    {
      versions: ['10.0', '9.0', '8.0'],
      image: (version) => `mcr.microsoft.com/dotnet/sdk:${version}`,
      oldest: true,
    },
  ],
  ['ruby', { versions: ['3.4', '3.3', '3.2'], image: bookworm('ruby') }],
  ['swift', { versions: ['6.2', '6.1', '6.0'], image: bookworm('swift') }],
  ['dart', { versions: ['3'], image: (version) => `dart:${version}` }],
  ['clojure', { versions: ['21'], image: (version) => `clojure:temurin-${version}-tools-deps-bookworm` }],
  ['haskell', { versions: ['9'], image: (version) => `haskell:${version}` }],
  ['stack', { versions: ['9'], image: (version) => `haskell:${version}` }],
  ['elixir', { versions: ['1.18', '1.17', '1.16', '1.15'], image: (version) => `elixir:${version}` }],
])

/** Languages without an image that would do. */
const OTHERS: ReadonlySet<Tool> = new Set<Tool>(['php', 'deno', 'bun', 'zig'])

/** What Beadloom's own image has: Node.js as it comes with Beadloom, and Python as Debian 12 has it. */
const OWN: ReadonlyMap<Tool, string> = new Map<Tool, string>([
  ['node', '24'],
  ['python', '3.11'],
])

/** The image that has the one language which Beadloom's own image lacks. Null: it lacks none, or no image has it. */
export function officialImage(tools: readonly ToolClaim[]): { image: string; language: Tool } | null {
  const languages = tools.filter(({ tool }) => KNOWN.has(tool) || OTHERS.has(tool))
  const [first, ...more] = languages
  if (first === undefined || more.length > 0 || isInDefault(first)) return null
  const version = versionFor(first)
  const image = version === null ? null : imageOf(first.tool, version, tools)
  return image === null ? null : { image, language: first.tool }
}

/** Maven's image has Maven, and Java for Gradle's wrapper; without a wrapper Gradle has to be in it. */
function imageOf(tool: Tool, version: string, tools: readonly ToolClaim[]): string | null {
  const gradle = tools.find((claim) => claim.tool === 'gradle')
  if (tool === 'java' && gradle && !/(?:^|\/)gradlew$/.test(gradle.from.file)) return `gradle:jdk${version}`
  return KNOWN.get(tool)?.image(version) ?? null
}

/** Names of whatever is newest. Any other name, such as that of a nightly build, is one that an image does not have. */
const NEWEST = /^(?:lts|stable|current|node)\b/

function isInDefault(claim: ToolClaim): boolean {
  const own = OWN.get(claim.tool)
  if (own === undefined) return false
  const range = rangeOfClaim(claim)
  return range === null || agree(range, rangeOf(own) ?? [])
}

/** A whole version as it is written, else a known one that is accepted; null: none is. */
function versionFor(claim: ToolClaim): string | null {
  const known = KNOWN.get(claim.tool)
  if (known === undefined) return null
  const exact = /^v?(\d{1,4}\.\d{1,4}\.\d{1,4})$/.exec(claim.version ?? '')?.[1]
  if (exact !== undefined && !claim.least && !known.oldest) return exact
  const range = rangeOfClaim(claim)
  if (range === null && claim.version !== null && !NEWEST.test(claim.version)) return null
  const fitting = known.versions.filter((version) => range === null || agree(range, rangeOf(version) ?? []))
  return (known.oldest && claim.least ? fitting.at(-1) : fitting[0]) ?? null
}

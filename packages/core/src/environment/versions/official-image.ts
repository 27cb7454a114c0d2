import type { Tool, ToolClaim } from '../found.ts'
import { agree, rangeOf, rangeOfClaim } from './version-range.ts'

/*
 * The official image for a toolchain at a version. Beadloom needs images made of Debian with glibc and git
 * (docs/configuration/environment.md). PHP's have no git, so PHP is not here.
 */

type Known = {
  /** Versions that have an image of this form, the newest first. */
  versions: readonly string[]
  image: (version: string) => string
  /** For a minimum version, the oldest: newer ones refuse what was built for it. */
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

/** Languages without a suitable image. */
const OTHERS: ReadonlySet<Tool> = new Set<Tool>(['php', 'deno', 'bun', 'zig'])

/** The tools in Beadloom's own image: the Node.js that comes with Beadloom, and the Python of Debian 12. */
const OWN: ReadonlyMap<Tool, string> = new Map<Tool, string>([
  ['node', '24'],
  ['python', '3.11'],
])

/** An image with the only language that Beadloom's own lacks. Null: it lacks none or several, or no image has it. */
export function officialImage(tools: readonly ToolClaim[]): { image: string; language: Tool } | null {
  const languages = tools.filter(({ tool }) => KNOWN.has(tool) || OTHERS.has(tool))
  const [first, ...more] = languages
  if (first === undefined || more.length > 0 || isInDefault(first)) return null
  const version = versionFor(first)
  const image = version === null ? null : imageOf(first.tool, version, tools)
  return image === null ? null : { image, language: first.tool }
}

/** Maven's image has Maven, and a Java for Gradle's wrapper; without a wrapper the image has to contain Gradle. */
function imageOf(tool: Tool, version: string, tools: readonly ToolClaim[]): string | null {
  const gradle = tools.find((claim) => claim.tool === 'gradle')
  if (tool === 'java' && gradle && !/(?:^|\/)gradlew$/.test(gradle.from.file)) return `gradle:jdk${version}`
  return KNOWN.get(tool)?.image(version) ?? null
}

/** Names for the newest version. No image has a version by another name, such as that of a nightly build. */
const NEWEST = /^(?:lts|stable|current|node)\b/

function isInDefault(claim: ToolClaim): boolean {
  const own = OWN.get(claim.tool)
  if (own === undefined) return false
  const range = rangeOfClaim(claim)
  return range === null || agree(range, rangeOf(own) ?? [])
}

/** A complete version as it is written, else an acceptable known one; null: there is none. */
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

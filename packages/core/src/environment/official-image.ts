import type { Tool, ToolClaim } from './found.ts'
import { agree, rangeOf, rangeOfClaim } from './version-range.ts'

/*
 * Which official image has a toolchain at a version: those that are made of Debian with glibc and git, as Beadloom needs
 * them (docs/configuration.md). PHP's have no git, so PHP is not here.
 */

type Known = {
  /** As people name it. */
  name: string
  /** Versions that have an image of this form, the newest first. */
  versions: readonly string[]
  image: (version: string) => string
  /** Of a version that is only the oldest, the oldest: newer ones refuse what was built for it. */
  oldest?: true
}

const bookworm = (name: string) => (version: string) => `${name}:${version}-bookworm`

const KNOWN: ReadonlyMap<Tool, Known> = new Map<Tool, Known>([
  ['node', { name: 'Node.js', versions: ['24', '22', '20', '18'], image: bookworm('node') }],
  ['python', { name: 'Python', versions: ['3.13', '3.12', '3.11', '3.10', '3.9'], image: bookworm('python') }],
  ['go', { name: 'Go', versions: ['1.25', '1.24', '1.23', '1.22', '1.21'], image: bookworm('golang') }],
  ['rust', { name: 'Rust', versions: ['1'], image: bookworm('rust') }],
  [
    'java',
    {
      name: 'Java',
      versions: ['21', '17', '11', '8'],
      image: (version) => `maven:3-eclipse-temurin-${version}`,
      oldest: true,
    },
  ],
  [
    'dotnet',
    {
      name: '.NET',
      versions: ['9.0', '8.0'],
      image: (version) => `mcr.microsoft.com/dotnet/sdk:${version}`,
      oldest: true,
    },
  ],
  ['ruby', { name: 'Ruby', versions: ['3.4', '3.3', '3.2'], image: bookworm('ruby') }],
  ['elixir', { name: 'Elixir', versions: ['1.18', '1.17', '1.16', '1.15'], image: (version) => `elixir:${version}` }],
])

/** Languages without an image that would do. */
const OTHERS: ReadonlyMap<Tool, string> = new Map<Tool, string>([
  ['php', 'PHP'],
  ['deno', 'Deno'],
  ['bun', 'Bun'],
])

/** What Beadloom's own image has: Node.js as it comes with Beadloom, and Python as Debian 12 has it. */
const OWN: ReadonlyMap<Tool, string> = new Map<Tool, string>([
  ['node', '24'],
  ['python', '3.11'],
])

/** `default`: Beadloom's own image has everything. `missing`: languages, with versions, that no single image has together. */
type ImageFor =
  | { base: 'default' }
  | { base: 'image'; image: string; claim: ToolClaim }
  | { base: 'missing'; languages: string[] }

export function officialImage(tools: readonly ToolClaim[]): ImageFor {
  const languages = tools.filter(({ tool }) => KNOWN.has(tool) || OTHERS.has(tool))
  const [first, ...more] = languages
  if (languages.every(isInDefault)) return { base: 'default' }
  const version = first && more.length === 0 ? versionFor(first) : null
  const image = first && version !== null ? imageOf(first.tool, version, tools) : null
  if (first && image !== null) return { base: 'image', image, claim: first }
  return { base: 'missing', languages: languages.map(named) }
}

/** Maven's image has Maven, and Java for Gradle's wrapper; without a wrapper Gradle has to be in it. */
function imageOf(tool: Tool, version: string, tools: readonly ToolClaim[]): string | null {
  const gradle = tools.find((claim) => claim.tool === 'gradle')
  if (tool === 'java' && gradle && !/(?:^|\/)gradlew$/.test(gradle.from.file)) return `gradle:jdk${version}`
  return KNOWN.get(tool)?.image(version) ?? null
}

/** Names of whatever is newest. Any other name, such as that of a nightly build, is one that an image does not have. */
const NEWEST = /^(?:lts|stable|current|node)\b/

const named = ({ tool, version }: ToolClaim): string => {
  const name = KNOWN.get(tool)?.name ?? OTHERS.get(tool) ?? tool
  return version === null ? name : `${name} ${version}`
}

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

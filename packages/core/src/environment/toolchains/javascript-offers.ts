import type { ToolClaim } from '../found.ts'
import { exactVersion, type Install, type Offer } from './offer.ts'

const NPM = 'the npm registry'
const own = (version: string): Offer => ({ version, release: null, from: "Beadloom's own image", installs: [] })
const offer = (version: string, ...installs: Install[]): Offer => ({ version, release: null, from: NPM, installs })

/** All but 24, which the image has. */
const NODE_MAJORS = ['22', '20', '26', '18', '16', '14', '12']

/** The names that `.nvmrc` uses for them. */
const LONG_TERM: ReadonlyMap<string, string> = new Map([
  ['lts/krypton', '24'],
  ['lts/jod', '22'],
  ['lts/iron', '20'],
  ['lts/hydrogen', '18'],
  ['lts/gallium', '16'],
  ['lts/fermium', '14'],
  ['lts/erbium', '12'],
])

/** Replaces the name of a long-term version by its number. */
export const withoutNames = (claim: ToolClaim): ToolClaim => {
  const major = claim.tool === 'node' ? LONG_TERM.get(claim.version?.toLowerCase() ?? '') : undefined
  return major === undefined ? claim : { ...claim, version: major }
}

export function nodeOffers(claim: ToolClaim): Offer[] {
  const exact = exactVersion(claim)
  return [own('24'), ...(exact === null ? [] : [node(exact)]), ...NODE_MAJORS.map(node)]
}

/** The image's npm refuses to run on an older Node.js. */
function node(version: string): Offer {
  const major = Number(version.split('.')[0])
  const npm = major >= 22 ? null : major >= 18 ? '10' : major >= 14 ? '9' : '8'
  const installs: Install[] = [{ by: 'node', what: version }]
  return offer(version, ...installs, ...(npm === null ? [] : [{ by: 'npm', what: `npm@${npm}` } as const]))
}

const npm = (name: string) => (version: string) => offer(version, { by: 'npm', what: `${name}@${version}` })
const pnpm = npm('pnpm')
const yarnOne = npm('yarn')
const yarnNewer = npm('@yarnpkg/cli-dist')
const yarn = (version: string): Offer => (version.startsWith('1.') ? yarnOne : yarnNewer)(version)
const deno = (version: string): Offer => offer(version, { by: 'deno', what: version })
const bun = (version: string): Offer => offer(version, { by: 'bun', what: version })

/** The named version, else the newest of a known series. */
const series =
  (of: (version: string) => Offer, ...known: Offer[]) =>
  (claim: ToolClaim): Offer[] => {
    // `packageManager` may have a checksum behind the version.
    const exact = exactVersion({ ...claim, version: claim.version?.split('+')[0] ?? null })
    return exact === null ? known : [of(exact), ...known]
  }

export const pnpmOffers = series(pnpm, pnpm('10'), pnpm('9'), pnpm('8'), pnpm('7'))
export const yarnOffers = series(yarn, yarnOne('1'), yarnNewer('4'), yarnNewer('3'), yarnNewer('2'))
export const denoOffers = series(deno, deno('2'))
export const bunOffers = series(bun, bun('1'))

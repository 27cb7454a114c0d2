import type { ToolClaim } from '../found.ts'
import { cmakeOfDebian, debianOffers, goOfDebian, mavenOfDebian, mesonOfDebian, oldMaven } from './debian-offers.ts'
import { packagesFor } from './debian-libraries.ts'
import { exactVersion, type Install, type Offer } from './offer.ts'

/** The last of each series when this was written. Older ones cannot be downloaded in this way. */
const GO_NEWEST = ['1.27.4', '1.26.11', '1.25.14', '1.24.13', '1.23.12', '1.22.12', '1.21.13']
const GO_OLDEST = 21

const go = (version: string): Offer => ({
  version,
  release: goOfDebian.release,
  from: "Go's module proxy",
  installs: [...goOfDebian.installs, { by: 'go', what: version }],
})

/** The newest known of a series, such as that of Debian's own. */
export const goToDownload = (version: string): string =>
  GO_NEWEST.find((one) => one === version || one.startsWith(`${version}.`)) ?? version

/** Debian's own comes first: it need not be downloaded. */
export function goOffers(claim: ToolClaim): Offer[] {
  const exact = exactVersion(claim)
  const minor = Number(exact?.split('.')[1] ?? 0)
  const named = exact !== null && exact.startsWith('1.') && minor >= GO_OLDEST ? [go(exact)] : []
  const unknown = minorsAbove(claim)
  return [...named, goOfDebian, ...GO_NEWEST.map(go), ...unknown.map(go)]
}

/** The first version of a series that is newer than this table; it surely exists. */
function minorsAbove({ version }: ToolClaim): string[] {
  const [, minor, patch = '0'] = /^(?:go)?1\.(\d{1,4})(?:\.(\d{1,4}))?$/.exec(version ?? '') ?? []
  const newest = Number(GO_NEWEST[0]?.split('.')[1])
  return minor !== undefined && Number(minor) > newest ? [`1.${Number(minor)}.${Number(patch)}`] : []
}

const pypi =
  (name: string) =>
  (version: string | null): Offer => ({
    version: version ?? 'newest',
    release: null,
    from: 'PyPI',
    installs: [{ by: 'pypi', what: version === null ? name : `${name}==${version}` }],
  })

const pythonTool =
  (name: string) =>
  (claim: ToolClaim): Offer[] => {
    const exact = exactVersion(claim)
    const of = pypi(name)
    return exact === null ? [of(null)] : [of(exact), of(null)]
  }

export const uvOffers = pythonTool('uv')
export const justOffers = pythonTool('rust-just')
export const poetryOffers = pythonTool('poetry')
export const pdmOffers = pythonTool('pdm')
export const pipenvOffers = pythonTool('pipenv')

/** With Debian's packages for the known libraries among those that a build asks for. */
export const cOffers = ({ libraries = [] }: ToolClaim): Offer[] => {
  const beside = libraries.flatMap(packagesFor).map((what): Install => ({ by: 'debian', what }))
  return (debianOffers.c ?? []).map((offer) => ({ ...offer, installs: [...offer.installs, ...beside] }))
}

/** Debian's own first: the newest CMake may refuse a project written for CMake 2 or 3. */
export const cmakeOffers = (claim: ToolClaim): Offer[] => [...cmakeOfDebian, ...pythonTool('cmake')(claim)]
export const mesonOffers = (claim: ToolClaim): Offer[] => [
  ...mesonOfDebian,
  ...pythonTool('meson')(claim).map(withNinja),
]

const withNinja = (offer: Offer): Offer => ({
  ...offer,
  installs: [...offer.installs, { by: 'debian', what: 'ninja-build' }],
})

/** Zig breaks code that was written for its last version: prefers the same series, then the newest. */
export function zigOffers(claim: ToolClaim): Offer[] {
  const zig = pypi('ziglang')
  const [, series] = /^(0\.\d{1,3})(?:\.|$)/.exec(claim.version ?? '') ?? []
  const exact = exactVersion({ ...claim, least: false })
  const newest = ZIG_NEWEST.find((one) => one.startsWith(`${series}.`)) ?? exact
  return [...(newest === null ? [] : [zig(newest)]), ...ZIG_NEWEST.map(zig)]
}

/** The last of each series when this was written. */
const ZIG_NEWEST = ['0.17.1', '0.16.0', '0.15.2', '0.14.1', '0.13.0', '0.12.1', '0.11.0']

/** The newest in Maven Central when this was written. */
const MAVEN_NEWEST = '3.9.16'

/** Debian's own if it is new enough; Debian 12's is so old that many plugins refuse it, and downloads a newer one. */
export function mavenOffers(claim: ToolClaim): Offer[] {
  const exact = exactVersion(claim)
  const central = (version: string): Offer => ({
    version,
    release: null,
    from: 'Maven Central',
    installs: [...oldMaven, { by: 'maven', what: version }],
  })
  return [mavenOfDebian, ...(exact === null ? [] : [central(exact)]), central(MAVEN_NEWEST)]
}

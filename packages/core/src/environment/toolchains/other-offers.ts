import type { ToolClaim } from '../found.ts'
import { goOfDebian } from './debian-offers.ts'
import { exactVersion, type Offer } from './offer.ts'

/** Older ones cannot be downloaded in this way. The last of each series when this was written. */
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

/** Debian's own first, which need not be downloaded twice. */
export function goOffers(claim: ToolClaim): Offer[] {
  const exact = exactVersion(claim)
  const minor = Number(exact?.split('.')[1] ?? 0)
  const named = exact !== null && exact.startsWith('1.') && minor >= GO_OLDEST ? [go(exact)] : []
  const unknown = minorsAbove(claim)
  return [...named, goOfDebian, ...GO_NEWEST.map(go), ...unknown.map(go)]
}

/** A series that is newer than this table has at least its first version. */
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
export const poetryOffers = pythonTool('poetry')

import type { ToolClaim } from '../found.ts'
import { officialImage } from '../versions/official-image.ts'
import { agree, rangeOf, rangeOfClaim, type Interval } from '../versions/version-range.ts'
import { pythonHeaders } from './debian-offers.ts'
import { withoutNames } from './javascript-offers.ts'
import {
  installers,
  OWN_RELEASE,
  releases,
  type Install,
  type Offer,
  type Release,
  type Toolchain,
  type ToolchainPlan,
} from './offer.ts'
import { comesByItself, offersFor } from './offers.ts'
import { missingWords } from './toolchain-words.ts'

/** A claim with its offers. `range`: null if any version will do, empty if none is known to. */
type Wanted = { claim: ToolClaim; range: Interval[] | null; offers: readonly Offer[] }

type Taken = Wanted & { offer: Offer; fits: boolean }

/** The toolchains of an image for these claims, one for each tool. All are from our tables, whatever the claims say. */
export function chooseToolchains(claims: readonly ToolClaim[]): ToolchainPlan {
  const wanted = claims.filter((claim) => !comesByItself(claim)).map(wantedOf)
  const had = wanted.filter(({ offers }) => offers.length > 0)
  const [first, ...more] = releases.map((release) => ({ release, taken: had.map((one) => takeIn(one, release)) }))
  const { release, taken } = more.reduce((best, other) => (worth(other) < worth(best) ? other : best), first!)
  const installs = distinct([...taken.flatMap(({ offer }) => offer.installs), ...headersFor(taken)])
  const official = officialFor(claims, taken)
  return {
    release: taken.some(({ offer }) => offer.release === release) ? release : OWN_RELEASE,
    official,
    installs,
    toolchains: taken.map(toolchainOf),
    missing: wanted.filter(({ offers }) => offers.length === 0).map(({ claim }) => missingWords(claim, official)),
  }
}

/** Names for the newest version. Nothing is known to fit any other name, such as that of a nightly build. */
const NEWEST = /^(?:lts|stable|current|node)\b/

function wantedOf(named: ToolClaim): Wanted {
  const claim = withoutNames(named)
  const isName = claim.version !== null && !NEWEST.test(claim.version)
  return { claim, range: rangeOfClaim(claim) ?? (isName ? [] : null), offers: inOrder(claim) }
}

/** A newer Java may refuse code that was built for an old one: for a minimum version, the oldest is the surest. */
function inOrder(claim: ToolClaim): readonly Offer[] {
  const offers = offersFor(claim)
  return claim.tool === 'java' && claim.least
    ? offers.toSorted((a, b) => Number(a.version) - Number(b.version))
    : offers
}

const fitsIn = ({ range }: Wanted, { version }: Offer): boolean =>
  range === null || agree(range, rangeOf(version) ?? [{ from: [0, 0, 0], to: null }])

/** The first offer that fits, else the nearest newer one, else the newest. Some release has each tool. */
function takeIn(wanted: Wanted, release: Release): Taken {
  const here = wanted.offers.filter((offer) => offer.release === null || offer.release === release)
  const fitting = here.find((offer) => fitsIn(wanted, offer))
  if (fitting) return { ...wanted, offer: fitting, fits: true }
  const isOut = (offer: Offer) => Number(!isWithin(wanted, offer))
  const sorted = (here.length > 0 ? here : wanted.offers).toSorted(
    (a, b) => isOut(a) - isOut(b) || distance(wanted, a) - distance(wanted, b),
  )
  return { ...wanted, offer: sorted[0]!, fits: false }
}

/** A `.python-version` names its author's version; the project itself says which ones will do. */
const isWithin = ({ claim }: Wanted, { version }: Offer): boolean =>
  (claim.within ?? []).every((one) => {
    const range = rangeOfClaim(one)
    return range === null || agree(range, rangeOf(version) ?? [])
  })

const OLDER = 1e9

/** A newer version mostly does the same as an older one; an older one is the last resort. */
function distance({ range }: Wanted, { version }: Offer): number {
  const numbers = ([major, minor, patch]: readonly [number, number, number]) => major * 1e5 + minor * 1e2 + patch
  if (range === null || range.length === 0) return 0
  const own = numbers(rangeOf(version)?.[0]?.from ?? [0, 0, 0])
  const asked = numbers(range[0]?.from ?? [0, 0, 0])
  return own >= asked ? own - asked : OLDER + asked - own
}

/** Decides only if nothing else does. */
const BASE_IS_THERE = 1e-9
const NOT_PREFERRED = 1
const NOT_FITTING = 100
const TOO_OLD = 1e6
const NOT_THERE = 1e8
/** A distance of one minor version weighs more than an offer that is merely not preferred. */
const A_MINOR = 1e2

const notFitting = (far: number): number =>
  far < OLDER ? NOT_FITTING + far / A_MINOR : TOO_OLD + (far - OLDER) / A_MINOR

/** Smaller means that the release suits the tools better. Beadloom's own release is already there. */
function worth({ release, taken }: { release: Release; taken: readonly Taken[] }): number {
  const each = taken.map((one) => {
    if (one.offer.release !== null && one.offer.release !== release) return NOT_THERE
    if (!one.fits) return notFitting(distance(one, one.offer)) + (isWithin(one, one.offer) ? 0 : TOO_OLD)
    return one.offer === one.offers.find((offer) => fitsIn(one, offer)) ? 0 : NOT_PREFERRED
  })
  return each.reduce((sum, points) => sum + points, release === OWN_RELEASE ? 0 : BASE_IS_THERE)
}

/** Only if nothing but its language is wanted: anything else would be missing in it. */
function officialFor(claims: readonly ToolClaim[], taken: readonly Taken[]): string | null {
  const found = officialImage(claims)
  if (found === null) return null
  const brought = new Set([found.language, ...(found.language === 'java' ? (['maven', 'gradle'] as const) : [])])
  return taken.every(({ claim, offer }) => brought.has(claim.tool) || offer.installs.length === 0) ? found.image : null
}

/** A C compiler beside Python compiles extensions of Python. */
const headersFor = (taken: readonly Taken[]): readonly Install[] =>
  (['python', 'c'] as const).every((tool) => taken.some(({ claim }) => claim.tool === tool)) ? pythonHeaders : []

function distinct(installs: readonly Install[]): Install[] {
  const known = new Map(installs.map((one) => [`${one.by} ${one.what}`, one]))
  const order = (one: Install) => `${installers.indexOf(one.by)} ${one.what}`
  return [...known.values()].toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
}

const toolchainOf = ({ claim, offer, fits }: Taken): Toolchain => ({
  tool: claim.tool,
  wanted: claim.version,
  least: claim.least,
  place: claim.from,
  version: offer.version,
  from: offer.from,
  fits,
})

import type { Tool, ToolClaim } from '../found.ts'
import { debianOffers } from './debian-offers.ts'
import { bunOffers, denoOffers, nodeOffers, pnpmOffers, yarnOffers } from './javascript-offers.ts'
import type { Offer } from './offer.ts'
import {
  cmakeOffers,
  cOffers,
  goOffers,
  justOffers,
  mavenOffers,
  mesonOffers,
  pdmOffers,
  pipenvOffers,
  poetryOffers,
  uvOffers,
  zigOffers,
} from './other-offers.ts'

const others: Partial<Readonly<Record<Tool, (claim: ToolClaim) => Offer[]>>> = {
  c: cOffers,
  node: nodeOffers,
  pnpm: pnpmOffers,
  yarn: yarnOffers,
  deno: denoOffers,
  bun: bunOffers,
  go: goOffers,
  uv: uvOffers,
  poetry: poetryOffers,
  cmake: cmakeOffers,
  meson: mesonOffers,
  maven: mavenOffers,
  zig: zigOffers,
  just: justOffers,
  pdm: pdmOffers,
  pipenv: pipenvOffers,
}

/** In the order of preference; empty: there are none. */
export const offersFor = (claim: ToolClaim): readonly Offer[] =>
  others[claim.tool]?.(claim) ?? debianOffers[claim.tool] ?? []

const NOWHERE = { version: null, least: false, from: { file: '', line: null }, confidence: 'said' } as const

export const canBeHad = (tool: Tool): boolean => offersFor({ tool, ...NOWHERE }).length > 0

/** npm comes with Node.js, Bundler with Ruby. */
const WITH_OTHERS: ReadonlySet<Tool> = new Set<Tool>(['npm', 'bundler'])
const WRAPPED = /(?:^|\/)(?:mvnw|gradlew)$/

/** Whether nothing has to be installed: its language brings it, or a wrapper in the repository fetches it. */
export const comesByItself = ({ tool, from }: ToolClaim): boolean => WITH_OTHERS.has(tool) || WRAPPED.test(from.file)

import type { ProjectConfig } from './project-config-schema.ts'
import { devcontainerPlan } from '../environment/devcontainer/devcontainer-plan.ts'
import { toolchainsFor } from '../environment/devcontainer/toolchains-for.ts'
import { detectedChecks } from './verify-steps.ts'
import { detected } from '../environment/commands/detected.ts'
import { inFolder, nestedProjects, type NestedProject } from '../environment/commands/nested-projects.ts'
import type { CommandClaim, Family, Found, Place, Tool, ToolClaim } from '../environment/found.ts'
import { rootTests, type RootTest } from '../environment/commands/root-tests.ts'
import { rootSetups } from '../environment/commands/setup-line.ts'
import { chooseToolchains } from '../environment/toolchains/choose-toolchains.ts'
import { OWN_RELEASE } from '../environment/toolchains/offer.ts'
import { comesByItself } from '../environment/toolchains/offers.ts'
import type { OwnToolchains } from '../environment/toolchains/own-toolchains.ts'
import { toolchainTroubles } from '../environment/toolchains/toolchain-words.ts'
import { leftWords, UNTESTED_FIX, untestedText } from '../environment/commands/untested.ts'

/** A proposal for a repository's `beadloom.json`, and what is left for a person to do. */
export type Proposal = {
  /** Passes the checks of `beadloom.json`. Empty if nothing has to be written. */
  config: Pick<ProjectConfig, 'toolchains' | 'setup' | 'services' | 'verify'>
  /** The file that each of its values comes from. */
  from: { key: keyof Proposal['config']; place: Place }[]
  /** Sentences; each says what to do. */
  open: string[]
}

const LONGEST_SETUP = 4000
const MOST_CHECKS = 10

/** A proposal from all findings, hints included: a person reads it before it counts. */
export function proposalFor(found: Found): Proposal {
  const proposal: Proposal = { config: {}, from: [], open: [] }
  const home = homeOf(found)
  addBase(proposal, found, home)
  const { projects, left } = nestedProjects(found)
  const tests = rootTests(found)
  const isElsewhere = projects.some(({ folder }) => folder !== home)
  if (projects.length + tests.length > 1 || isElsewhere) addUnasked(proposal, found, tests, projects)
  else {
    const own = found.commands.filter(({ folder }) => folder === home)
    addSetup(proposal, own, home, tests)
    addChecks(proposal, own, home, found, tests[0]?.claim)
  }
  if (left.length > 0) proposal.open.push(leftWords(left))
  proposal.open.push(...found.absent.map(({ text }) => text))
  addServices(proposal, found)
  return proposal
}

/** The services of a devcontainer are started unasked. */
function addServices({ config, from }: Proposal, { services }: Found): void {
  const unsaid = services.filter(({ confidence }) => confidence !== 'said')
  if (unsaid.length === 0) return
  // They replace those that are found, so all of them have to be listed.
  config.services = Object.fromEntries(
    services.map(({ name, image, env, command, health }) => [
      name,
      {
        image,
        ...(Object.keys(env).length > 0 && { env }),
        ...(command && { command }),
        ...(health !== null && { health }),
      },
    ]),
  )
  from.push(...services.map((claim) => ({ key: 'services' as const, place: claim.from })))
}

/** The folder in which the commands run: the root, or the only project if the root has no commands. */
function homeOf({ commands, nested }: Found): string {
  const [only, ...more] = nested
  return only && more.length === 0 && !commands.some(({ folder }) => folder === '') ? only.folder : ''
}

/** A devcontainer counts without an entry. */
function addBase({ config, from, open }: Proposal, found: Found, home: string): void {
  const { tools, nested } = found
  const devcontainer = devcontainerPlan(found)
  open.push(...(devcontainer?.missing ?? []))
  if (devcontainer?.image || devcontainer?.dockerfile) {
    open.push(...toolchainTroubles(toolchainsFor(tools, devcontainer)))
    return
  }
  // Projects below the root that run unasked get their toolchains unasked, too.
  const unasked = nestedProjects(found).projects.map(({ folder }) => folder)
  const below = nested.find(({ folder }) => folder === home && !unasked.includes(folder))
  addToolchains({ config, from, open }, tools.filter(isCalled(found.commands)), below?.tools ?? [])
  if (unasked.length > 0) open.push(...toolchainTroubles(chooseToolchains(detected(found).tools)))
}

/** Languages whose commands belong to a family of another name. */
const FAMILIES: Partial<Record<Tool, readonly Family[]>> = {
  java: ['maven', 'gradle'],
  erlang: ['elixir'],
  c: ['cmake', 'meson', 'autotools'],
}
/** Such commands may run anything. */
const RECIPES: readonly Family[] = ['make', 'just']

/**
 * Whether a toolchain that only a CI names is of use: the CI may build documents with another language, or try a
 * package with several installers. It is useless if no command of the project belongs to it, or calls it.
 */
function isCalled(commands: readonly CommandClaim[]): (claim: ToolClaim) => boolean {
  const own = commands.filter(({ confidence }) => confidence !== 'hint')
  const isOpen = own.every(({ family }) => RECIPES.includes(family))
  const isOf = (tool: Tool, family: Family) => family === tool || FAMILIES[tool]?.includes(family) === true
  return ({ tool, confidence }) =>
    confidence !== 'hint' ||
    isOpen ||
    own.some(({ family, command }) => isOf(tool, family) || command.split(/[^\w.-]+/).includes(tool))
}

/** The root folder's toolchains count without an entry; those of only a CI, or of a folder below, need one. */
function addToolchains(
  { config, from, open }: Proposal,
  tools: readonly ToolClaim[],
  below: readonly ToolClaim[],
): void {
  const unsaid = [
    ...tools.filter(({ confidence }) => confidence === 'hint'),
    ...below.filter(({ tool }) => !tools.some((known) => known.tool === tool)),
  ].filter(needsInstalling)
  const own: OwnToolchains = {}
  for (const { tool, version, least, from: place } of unsaid) {
    own[tool] = version === null ? '*' : least && /^\d/.test(version) ? `>=${version}` : version
    from.push({ key: 'toolchains', place })
  }
  if (unsaid.length > 0) config.toolchains = own
  open.push(...toolchainTroubles(chooseToolchains([...tools, ...unsaid.filter((claim) => !tools.includes(claim))])))
}

function needsInstalling(claim: ToolClaim): boolean {
  const { installs, release, missing } = chooseToolchains([claim])
  return !comesByItself(claim) && missing.length === 0 && (installs.length > 0 || release !== OWN_RELEASE)
}

function addSetup(
  { config, from }: Proposal,
  commands: readonly CommandClaim[],
  home: string,
  tests: readonly RootTest[],
): void {
  const all = commands.filter(({ purpose }) => purpose === 'setup')
  const sure = all.filter(({ confidence }) => confidence !== 'hint')
  const taken = sure.length > 0 ? sure : all.slice(0, 1)
  const setup = inFolder(home, [...new Set(rootSetups(taken, tests))].join(' && '))
  if (taken.length === 0 || setup.length > LONGEST_SETUP) return
  config.setup = setup
  from.push(...taken.map((claim) => ({ key: 'setup' as const, place: claim.from })))
}

/** A build comes first, as in detected checks. A linter counts if the project names it: its first run finds much. */
function addChecks(
  proposal: Proposal,
  commands: readonly CommandClaim[],
  home: string,
  found: Found,
  unasked: CommandClaim | undefined,
): void {
  const of = (purpose: CommandClaim['purpose']) => commands.filter((claim) => claim.purpose === purpose)
  const sure = (claims: readonly CommandClaim[]) => claims.filter(({ confidence }) => confidence !== 'hint')
  const test = unasked ?? sure(of('test'))[0] ?? of('test')[0]
  if (test === undefined) {
    proposal.open.push(untested(found))
    return
  }
  const said = of('lint').filter(({ confidence }) => confidence === 'said')
  // If there are other tests, a Makefile's `build` may just as well build a release.
  const builds = sure(of('build')).filter(({ family }) => family !== 'make' || test.family === 'make')
  const checks = [...builds, test, ...said].slice(0, MOST_CHECKS)
  proposal.config.verify = checks.map(({ purpose, command }) => ({
    type: purpose as 'build' | 'test' | 'lint',
    command: inFolder(home, command),
  }))
  proposal.from.push(...checks.map((claim) => ({ key: 'verify' as const, place: claim.from })))
}

/** The commands that run unasked, written down so that they can be changed. */
function addUnasked(
  { config, from }: Proposal,
  found: Found,
  tests: readonly RootTest[],
  projects: readonly NestedProject[],
): void {
  const all = detected(found)
  const line = [all.devcontainer?.setup, all.setup].filter(Boolean).join(' && ')
  if (line !== '' && line.length <= LONGEST_SETUP) {
    config.setup = line
    for (const { purpose, command, from: place } of found.commands)
      if (purpose === 'setup' && line.includes(command)) from.push({ key: 'setup', place })
  }
  config.verify = detectedChecks(all).slice(0, MOST_NESTED_CHECKS)
  const claims = projects.map(({ folder }) => found.commands.find((one) => one.folder === folder))
  for (const claim of [...tests.map((one) => one.claim), ...claims])
    if (claim) from.push({ key: 'verify', place: claim.from })
}

const MOST_NESTED_CHECKS = 40

const untested = ({ nested, testFiles }: Found): string =>
  testFiles[0] !== undefined
    ? `${untestedText(testFiles[0].file)} ${UNTESTED_FIX}`
    : nested.length > 1
      ? `There are ${nested.length} projects in folders (${listed(nested.slice(0, 3).map(({ folder }) => folder))}, …) and no command for all of them. Name one as "test".`
      : 'No command that tests was found. Name one as "test"; without it each bead has to make its own tests.'

function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`
}

import type { EnvironmentView } from '../api/projects/environment-api.ts'
import type { Confidence, Place } from '../environment/found.ts'
import { toolchainTroubles, toolTitle } from '../environment/toolchains/toolchain-words.ts'

/** A finding in a repository's files. `what` is a word or two, `from` the file and line; strangers wrote both texts. */
export type FoundRow = { what: string; text: string; from: string | null }

const MOST = 60

/** Rows for the findings that count, then for problems; at most sixty, and one that says how many more there are. */
export function foundRows(view: EnvironmentView): FoundRow[] {
  const { found, toolchains, configured, proposal, devcontainer } = view
  const { tools, commands, services, nested, conflicts, refused, notes, absent } = found
  const taken = new Set(toolchains.toolchains.map(({ tool }) => tool))
  const rows: FoundRow[] = [
    ...toolchains.toolchains.map(({ tool, version, from, place }) => ({
      what: 'Toolchain',
      text: `${toolTitle(tool)} ${version} from ${from}`,
      from: at(place),
    })),
    ...tools
      .filter(({ tool }) => !taken.has(tool))
      .map(({ tool, version, from }) => ({
        what: 'Tool',
        text: `${toolTitle(tool)}${version === null ? '' : ` ${version}`}`,
        from: at(from),
      })),
    ...commands.map(({ purpose, command, folder, from, confidence }) => ({
      what: purposes[purpose],
      text: folder === '' ? command : `${command}, in ${folder}`,
      from: source(from, confidence),
    })),
    ...services.map(({ name, image, from, confidence }) => ({
      what: 'Service',
      text: `${name}: ${image}`,
      from: source(from, confidence),
    })),
    ...nested.map(({ folder, techStack }) => ({
      what: 'Project',
      text: `${folder}: ${techStack.join(', ')}`,
      from: null,
    })),
    ...conflicts.map(({ tool, taken: one, other }) => ({
      what: 'Contradiction',
      text: `${toolTitle(tool)} ${one.version} counts, and ${other.version} does not: correct one of them.`,
      from: `${at(one.from)}, ${at(other.from)}`,
    })),
    ...refused.map(({ what, why, from }) => ({ what: 'Refused', text: `${what}: ${why}`, from: at(from) })),
    ...notes.map(({ text, from }) => ({ what: 'Left out', text, from: from.file === '' ? null : at(from) })),
    ...todo(configured, [...(devcontainer?.missing ?? []), ...toolchainTroubles(toolchains)], absent, proposal.open),
  ]
  const more = rows.length - MOST
  return more <= 0
    ? rows
    : [
        ...rows.slice(0, MOST),
        { what: 'More', text: `${more} more; beadloom environment --json has all of them.`, from: null },
      ]
}

/** With a `beadloom.json`, the open points of a project without one do not matter. */
function todo(configured: boolean, missing: string[], absent: { text: string }[], open: string[]): FoundRow[] {
  const texts = configured ? [...missing, ...absent.map(({ text }) => text)] : open
  return texts.map((text) => ({ what: configured ? 'Missing' : 'To do', text, from: null }))
}

const purposes = { setup: 'Setup', build: 'Build', test: 'Test', lint: 'Lint' } as const

const source = (from: Place, confidence: Confidence): string => at(from) + (confidence === 'hint' ? ', a hint' : '')

const at = ({ file, line }: Place): string => (line === null ? file : `${file}:${line}`)

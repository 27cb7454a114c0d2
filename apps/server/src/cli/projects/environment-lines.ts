import type { EnvironmentView } from '@beadloom/core/api/projects/environment-api.ts'
import type {
  CommandClaim,
  Confidence,
  Conflict,
  Found,
  Nested,
  Place,
  ToolClaim,
} from '@beadloom/core/environment/found.ts'
import { devcontainerLines } from '@beadloom/core/environment/devcontainer/devcontainer-words.ts'
import { nestedProjects, type NestedProject } from '@beadloom/core/environment/commands/nested-projects.ts'
import { toolchainTroubles, toolchainWords } from '@beadloom/core/environment/toolchains/toolchain-words.ts'
import { hanging } from '../terminal/hanging.ts'
import { oneLiner, plainText } from '../terminal/terminal-text.ts'

/** The most shown of each kind; `--json` has all. */
const SHOWN = 12

/** The findings in the files, then the remaining tasks, in words. The texts are the repository's. */
export function environmentLines(view: EnvironmentView, columns: number): string[] {
  const { configured, found, toolchains, devcontainer, proposal } = view
  const isProposed = Object.keys(proposal.config).length > 0
  const words = [
    ...section('Found in the files', foundLines(found)),
    ...section('Devcontainer', devcontainer ? devcontainerLines(devcontainer) : overruled(found)),
    ...section('Toolchains of the image', toolchains.toolchains.map(toolchainWords)),
    ...(configured
      ? section('Missing', [
          ...(devcontainer?.missing ?? []),
          ...toolchainTroubles(toolchains),
          ...found.absent.map(({ text }) => text),
        ])
      : []),
    ...section('Contradictions', shown(found.conflicts.map(contradiction))),
    ...section('Refused', shown(found.refused.map(({ what, why, from }) => `${what} (${at(from)}): ${why}`))),
    ...section('Left out', shown(found.notes.map(({ text }) => text))),
    // A beadloom.json has answered this: its own checks report its problems.
    ...(configured ? [] : section('To do', proposal.open)),
    ...(isProposed
      ? [
          `${configured ? 'beadloom.json could also say' : 'Proposed for beadloom.json'} ("beadloom environment ${view.project} --write" writes it):`,
          ...origins(proposal).map((line) => `  ${oneLiner(line)}`),
        ]
      : []),
  ]
  // People copy it, so it is not wrapped.
  const json = isProposed ? plainText(JSON.stringify(proposal.config, null, 2)).split('\n') : []
  const told = words.length === 0 ? ['Nothing was found in the files.'] : words
  return [...told.flatMap((line) => hanging(line, columns)), ...json]
}

/** The source of each value: "setup: package-lock.json", "verify: package.json:3, api/go.mod". */
function origins({ config, from }: EnvironmentView['proposal']): string[] {
  return Object.keys(config).flatMap((key) => {
    const files = [...new Set(from.filter((one) => one.key === key).map(({ place }) => at(place)))]
    if (files.length === 0) return []
    const more = files.length - MOST_FILES
    return [`${key}: ${files.slice(0, MOST_FILES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`]
  })
}

const MOST_FILES = 4

function foundLines(found: Found): string[] {
  const { tools, commands, services, nested } = found
  const { projects } = nestedProjects(found)
  return [
    ...shown(tools.map((claim) => `${toolName(claim)} (${at(claim.from)})`)),
    ...shown(commands.filter(({ folder }) => folder === '').map(commandLine)),
    ...shown(
      services.map(({ name, image, from, confidence }) => `service ${name}: ${image} (${source(from, confidence)})`),
    ),
    ...shown(
      nested.map((one) =>
        nestedLine(
          one,
          projects.find(({ folder }) => folder === one.folder),
        ),
      ),
    ),
  ]
}

/** `runs`: the parts that run without being asked. */
const nestedLine = ({ folder, techStack }: Nested, runs: NestedProject | undefined): string =>
  `project in ${folder}: ${techStack.join(', ')}${
    runs !== undefined && runs.tests.length > 0
      ? `; tested there by "${runs.tests.map(({ command }) => command).join('" and "')}" ${runs.paths === null ? 'after every change' : 'when a change touches it'}`
      : ''
  }`

/** Files that were read but do not count. */
const overruled = ({ devcontainer }: Found): string[] =>
  devcontainer === null ? [] : [`${devcontainer.file} is overruled by beadloom.json`]

const toolName = ({ tool, version, least }: ToolClaim): string =>
  version === null ? tool : `${tool} ${version}${least ? ' or newer' : ''}`

const commandLine = ({ purpose, command, from, confidence }: CommandClaim): string =>
  `${purpose}: ${command} (${source(from, confidence)})`

const contradiction = ({ tool, taken, other }: Conflict): string =>
  `${at(taken.from)} asks for ${tool} ${taken.version}, ${at(other.from)} for ${other.version}. The first one counts: correct one of them.`

const source = (from: Place, confidence: Confidence): string => at(from) + (confidence === 'hint' ? ', a hint' : '')

const at = ({ file, line }: Place): string => (line === null ? file : `${file}:${line}`)

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${oneLiner(line)}`)]

function shown(lines: readonly string[]): string[] {
  const more = lines.length - SHOWN
  return more > 0 ? [...lines.slice(0, SHOWN), `… and ${more} more (--json shows all)`] : [...lines]
}

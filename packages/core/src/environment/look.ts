import type { CommandClaim, Devcontainer, Family, Found, Note, Reading, ServiceClaim } from './found.ts'
import { confidences } from './found.ts'
import { isAlone, nestedFolders } from './files/nested-folders.ts'
import { nestedReaders, rootReaders, type Reader } from './readers/all-readers.ts'
import { compose, composeIn } from './readers/compose.ts'
import { workflows } from './readers/workflows/workflows.ts'
import { Folders, type Folder, type RepositoryFiles } from './files/repository-files.ts'
import { folderOf, nameOf } from './files/repository-path.ts'
import { isLockFile } from '../files/lock-files.ts'
import { unreadProjects } from './files/unread-projects.ts'
import { testFilesOf } from './files/files-of-tests.ts'
import { MOST_SERVICES } from '../services/service-name.ts'
import { settleTools } from './versions/settle-tools.ts'

/** The most of each that are shown and kept; a repository that says more says nothing. */
const MOST_COMMANDS = 200
const MOST_NOTES = 50

/** Everything that the files say, with contradictions decided. Never throws: strangers wrote the files. */
export function look(files: RepositoryFiles): Found {
  const folders = new Folders(files)
  const root = readIn(folders.folder(''), rootReaders)
  const devcontainer = root.find((one) => one.devcontainer)?.devcontainer ?? null
  const ci = workflows(folders.folder('.github/workflows'))
  const beside = serviceReadings(folders, devcontainer)
  const { folders: below, left, more } = nestedFolders(folders.files)
  const nested = below.map((folder) => ({ folder, readings: readIn(folders.folder(folder), nestedReaders) }))
  const all = [...root, ...beside, ...(ci ? [ci] : []), ...nested.flatMap(({ readings }) => readings)]
  const members = membersOf([...root, ...nested.flatMap(({ readings }) => readings)])
  const apart = new Set(root.flatMap((one) => one.apart ?? []))
  // The project that a workspace is part of installs it; a workspace of Python or Deno is tested with it, too.
  const isNeeded = ({ purpose, family, folder }: CommandClaim) =>
    members.get(family)?.has(folder) !== true || (family === 'node' && purpose !== 'setup')
  return {
    ...settleTools([...root, ...(ci ? [ci] : [])].flatMap(({ tools = [] }) => tools)),
    commands: bounded(distinctCommands(all).filter(isNeeded), MOST_COMMANDS).map((claim) => withNamed(claim, below)),
    services: servicesOf([...beside, ...(ci ? [ci] : [])]),
    devcontainer,
    nested: nested.map(({ folder, readings }) => {
      const of = [...members].flatMap(([family, its]) => (its.has(folder) ? [family] : []))
      const locked = folders.folder(folder).names.some(isLockFile)
      const isShared = stackOf(readings).some((one) => stackOf(root).includes(one)) && (of.length > 0 || !locked)
      return {
        folder,
        techStack: stackOf(readings),
        tools: settleTools(readings.flatMap(({ tools = [] }) => tools)).tools,
        alone: isAlone(folders.folder(folder)) && !isShared && readings.every(({ beside = [] }) => beside.length === 0),
        members: of,
        locked,
        apart: apart.has(folder),
      }
    }),
    testFiles: testFilesOf(folders.files, below, members.get('python')),
    unread: unreadProjects(folders, { read: below, left, members }),
    techStack: stackOf(root),
    refused: bounded(
      all.flatMap(({ refused = [] }) => refused),
      MOST_NOTES,
    ),
    absent: root.flatMap(({ absent = [] }) => absent),
    notes: bounded([...folders.notes, ...all.flatMap(({ notes = [] }) => notes), ...leftOut(more)], MOST_NOTES),
  }
}

/** A folder may be in the workspace of one family, and hold a project of another one beside it. */
function membersOf(readings: readonly Reading[]): Map<Family, Set<string>> {
  const all = new Map<Family, Set<string>>()
  for (const { members } of readings) {
    if (members === undefined) continue
    all.set(members.family, new Set([...(all.get(members.family) ?? []), ...members.folders]))
  }
  return all
}

const readIn = (folder: Folder, readers: readonly Reader[]): Reading[] =>
  readers.map((read) => read(folder)).filter((reading) => reading !== null)

const bounded = <T>(list: readonly T[], most: number): T[] => list.slice(0, most)

const stackOf = (readings: readonly Reading[]): string[] => [
  ...new Set(readings.flatMap(({ techStack = [] }) => techStack)),
]

/** A devcontainer names its compose files; any other compose file may serve anything. */
function serviceReadings(folders: Folders, devcontainer: Devcontainer | null): Reading[] {
  const own = devcontainer?.composeFiles ?? []
  if (devcontainer === null || own.length === 0) return [compose(folders.folder(''))].filter((one) => one !== null)
  return own
    .map((path) => composeIn(folders.folder(folderOf(path)), nameOf(path), 'said', devcontainer.composeService))
    .filter((one) => one !== null)
}

/** The surest claim for each name: several files that name a service want the same server. */
function servicesOf(readings: readonly Reading[]): ServiceClaim[] {
  const surest = readings
    .flatMap(({ services = [] }) => services)
    .toSorted((a, b) => confidences.indexOf(a.confidence) - confidences.indexOf(b.confidence))
  const byName = new Map<string, ServiceClaim>()
  for (const service of surest) {
    const host = service.name.toLowerCase()
    if (!byName.has(host)) byName.set(host, service)
  }
  return bounded([...byName.values()], MOST_SERVICES)
}

/**
 * The distinct commands of each family: a devcontainer may repeat what a lock file asks for, and both count. A CI
 * repeats itself, and mostly others.
 */
function distinctCommands(readings: readonly Reading[]): CommandClaim[] {
  const seen = new Set<string>()
  const keyOf = ({ purpose, command, folder }: CommandClaim, family: Family | null): string =>
    JSON.stringify([purpose, command, folder, family])
  return readings
    .flatMap(({ commands = [] }) => commands)
    .filter((claim) => {
      const [own, any] = [keyOf(claim, claim.family), keyOf(claim, null)]
      const known = seen.has(own) || (claim.family === 'ci' && seen.has(any))
      seen.add(own).add(any)
      return !known
    })
}

/** A command that goes into another folder tests that folder, too. */
function withNamed({ says, ...claim }: CommandClaim, below: readonly string[]): CommandClaim {
  const { folder } = claim
  const within = (other: string): string | null =>
    folder === '' ? other : other.startsWith(`${folder}/`) ? other.slice(folder.length + 1) : null
  const names = says === undefined ? [] : below.filter((other) => isNamedIn(says, within(other)))
  return names.length === 0 ? claim : { ...claim, names }
}

const isNamedIn = (text: string, folder: string | null): boolean =>
  folder !== null &&
  text.split(/[\s'"=]+/).some((word) => {
    const path = word.replace(/^\.\//, '')
    return path === folder || path.startsWith(`${folder}/`)
  })

const leftOut = (more: number): Note[] =>
  more === 0
    ? []
    : [
        {
          text: `${more} more folders look like projects of their own. They were not read.`,
          from: { file: '', line: null },
        },
      ]

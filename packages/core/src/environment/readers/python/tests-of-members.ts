import { shellWord } from '../../../text/shell-word.ts'
import { commandClaim } from '../../claims.ts'
import type { CommandClaim } from '../../found.ts'
import { buildRequirements } from './extension.ts'
import { isWithin, limitsOf } from './limited-tests.ts'
import { isRequiredByPath, memberFolders } from './members.ts'
import { isConfigured, pytestPlace } from './pytest-settings.ts'
import { pythonProject, type PythonProject } from './python-project.ts'

/*
 * Members of a workspace are installed into the environment of its root. The root's own tests may stop at its folder,
 * and do not read the settings that a member has for itself.
 */

const MOST = 20
/** Each makes the setup longer. */
const MOST_COMPILED = 5

/** A member, by its folder from the root's. */
export type Member = { at: string; project: PythonProject }

const membersIn = (project: PythonProject): Member[] =>
  memberFolders(project)
    .slice(0, MOST)
    .map((at) => ({ at, project: pythonProject(project.folder.other(project.folder.at(at))) }))

/** Members with compiled parts: a change of these shows only after they are built again. */
export const compiledMembers = (project: PythonProject): (Member & { build: string[] })[] =>
  membersIn(project)
    .flatMap((member) => {
      const build = buildRequirements(member.project)
      return build === null || !/^[\w./-]{1,150}$/.test(member.at) ? [] : [{ ...member, build }]
    })
    .slice(0, MOST_COMPILED)

/** Compiled members that the root itself uses. */
export const usedMembers = (project: PythonProject): string[] =>
  compiledMembers(project).flatMap(({ at, project: { name } }) => (isRequiredByPath(project, at, name) ? [at] : []))

/**
 * The tests of members that the root's tests leave out, or that have settings of their own.
 *
 * @param lineOf the call of pytest in a project, or null without tests
 * @param rebuild builds the project of a folder again
 */
export function testsOfMembers(
  project: PythonProject,
  lineOf: (member: PythonProject) => string | null,
  rebuild: string,
): CommandClaim[] {
  const limits = limitsOf(project)
  const { folder } = project
  const compiled = new Set(compiledMembers(project).map(({ at }) => at))
  return membersIn(project).flatMap((member) => {
    const isLeftOut = limits !== null && !isWithin(member.at, limits)
    const line = isLeftOut || isConfigured(member.project) ? lineOf(member.project) : null
    const from = pytestPlace(member.project) ?? pytestPlace(project)
    if (line === null || from === null) return []
    const up = member.at.replace(/[^/]+/g, '..')
    const command = [
      `cd ${shellWord(member.at)}`,
      `. ${up}/.venv/bin/activate`,
      ...(compiled.has(member.at) ? [rebuild] : []),
      line,
    ].join(' && ')
    return commandClaim(folder, 'python', 'test', command, from, 'said').map((claim) => ({
      ...claim,
      part: member.at,
      covers: [folder.at(member.at)],
    }))
  })
}

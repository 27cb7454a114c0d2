import { isMember } from './members.ts'
import { pytestSettings } from './pytest-settings.ts'
import type { PythonProject } from './python-project.ts'

const MOST = 50

/** The folders to which pytest's settings limit the tests, as patterns; null: it looks everywhere. */
export function limitsOf(project: PythonProject): string[] | null {
  const said = /^testpaths = (.*)$/m.exec(pytestSettings(project)[0])?.[1]
  const paths = (said ?? '')
    .split(/\s+/)
    .map((path) => path.replace(/^["']|["']$/g, '').replace(/^\.\/|\/$/g, ''))
    .filter(Boolean)
    .slice(0, MOST)
  return paths.length === 0 || paths.includes('.') ? null : paths
}

/** Whether tests with such limits also look into a folder, or into a part of it. */
export const isWithin = (folder: string, limits: readonly string[]): boolean =>
  limits.some((limit) => {
    const [own, other] = [folder.split('/'), limit.split('/')]
    const both = Math.min(own.length, other.length)
    return other.includes('**') || isMember(own.slice(0, both).join('/'), [other.slice(0, both).join('/')])
  })

import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { BeadLine } from '../../support/repository.ts'
import { issues } from '../../support/repository.ts'
import { answer, issue, reviewedProject } from '../../support/reviewer.ts'
import { commitAndPush } from '../../support/shell-project.ts'
import { World } from '../../support/world.ts'

export type Greeting = {
  project: string
  /** Its checks fail until a note says "Ask for the name."; it has been run once. */
  bead: string
  /** The output of the check around its error. */
  check?: { before: string; after: string }
  /** More cases of the agent's shell script, by bead: `*'#th-1 '*) echo … ;;` */
  cases?: string
  /** Further commands for that bead once it has its note. */
  more?: string
  beads: BeadLine[]
  /** The reviewer says that its work is ready for a pull request, despite its issue. */
  ready?: boolean
  blockedGraceMs?: number
  /** The source of the project; by default a folder that is its remote. */
  source?: (world: World, files: Record<string, string>) => Promise<string>
}

/**
 * The world for the dashboard's most frequent ways: a bead that fails its checks until a person says more, and a
 * reviewer who finds one small thing. On real git, with shell scripts as agent and reviewer.
 */
export async function greetingWorld({ project, bead, beads, ...more }: Greeting): Promise<World> {
  const { blockedGraceMs, check = { before: '', after: '' }, cases = '', source, ready = false } = more
  const prefix = bead.split('-')[0] ?? ''
  const agent = `prompt=$(cat)
case "$prompt" in
${cases}
*'#${bead} '*)
  case "$prompt" in *'Ask for the name.'*) echo hello you > greeting.txt${more.more ?? ''} ;; *) echo hello > greeting.txt ;; esac ;;
*) echo "something else" > "other-$$.txt" ;;
esac
${commitAndPush(prefix, 'Greet')}`
  const test = `if [ ! -e greeting.txt ] || grep -q you greeting.txt; then exit 0; fi
${check.before}
echo "not ok 1 greets somebody"
${check.after}
exit 1
`
  const reviewer = `cat > /dev/null
cat <<'END'
${answer([issue('It greets nobody in particular', ready ? { severity: 'low' } : {})], ready)}
END
`
  const files = reviewedProject({ agent, test, reviewer, bead, config: { verification: { maxAttempts: 1 } } })
  const world = await World.start({ engine: 'process', ...(blockedGraceMs === undefined ? {} : { blockedGraceMs }) })
  if (source === undefined) await world.addProject(project, files, beads)
  else {
    const from = await source(world, { '.beads/issues.jsonl': issues(...beads), ...files })
    const { status, body } = await world.api<ProjectView>('POST', '/api/projects', { source: from, id: project })
    if (status !== 201) throw new Error(`adding ${project} answered ${status}: ${JSON.stringify(body)}`)
  }
  return world
}

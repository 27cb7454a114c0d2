import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * A clean clone has no times of earlier runs, so Vitest begins with the largest files. Each of these would then begin
 * late and keep one processor busy while the other has nothing to do.
 */
const longest = [
  'test/fuzz/growth.test.ts',
  'apps/server/src/hub/serve.test.ts',
  'packages/agent/src/workspace/workspace.test.ts',
  'packages/agent/src/loop/react-loop.test.ts',
  'apps/server/src/hub/work-branch.test.ts',
  'apps/server/src/hub/git/read-objects.test.ts',
  'packages/agent/src/main.test.ts',
  'test/contract/docker.test.ts',
  'test/contract/docker-output.test.ts',
  'test/contract/docker-sessions.test.ts',
  'test/contract/processes.test.ts',
  'test/contract/processes-output.test.ts',
  'apps/server/src/container/docker-containers.test.ts',
  'test/policy/phases-restart.test.ts',
  'test/policy/ends.test.ts',
  'test/policy/cli.test.ts',
  'test/policy/tracker-jsonl.test.ts',
  'test/policy/start.test.ts',
  'test/policy/verification.test.ts',
  'test/policy/tests-that-ran.test.ts',
  'test/policy/restart.test.ts',
  'test/policy/publish.test.ts',
  'test/policy/base.test.ts',
  'test/policy/joining.test.ts',
  'test/policy/review.test.ts',
  'test/flow/adoption.test.ts',
  'test/flow/agents.test.ts',
  'test/e2e/first-visit.test.ts',
]

/** Begins each suite with the files known to take long; the others keep Vitest's order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = `${this.ctx.config.root}/`
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = longest.indexOf(moduleId.replace(root, ''))
      return place === -1 ? longest.length : place
    }
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => suiteOf(a) - suiteOf(b) || placeOf(a) - placeOf(b))
  }
}

const suiteOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder

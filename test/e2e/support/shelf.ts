import { shellProject } from '../../support/shell-project.ts'
import { World } from '../../support/world.ts'

/** A shelf of 300 beads and another project. Nothing has to run, so there is no Docker. */
export const withoutDocker = { DOCKER_HOST: 'unix:///nowhere.sock' }
const hostile = '<img src=x onerror=alert(1)>\u202Egpj.exe \u2066& more'
/** Everything that a description could try, and a megabyte more. */
const described = `# What

<script>document.title = 'taken'</script><img src=x onerror=alert(1)>

- [x] **read** [the page](https://github.com@evil.example/x) and [not this](javascript:alert(1))
- ![a chart](https://evil.example/chart.png)

${'>'.repeat(5_000)} deep ${'*a **a '.repeat(500)}

${'A line that says nothing.\n'.repeat(42_000)}`
export const shelf = async () => {
  const world = await World.start({ env: withoutDocker })
  const beads = Array.from({ length: 300 }, (_, n) => ({ id: `sh-${n + 10}`, title: `Ordinary work number ${n + 10}` }))
  await world.addProject('shelf', shellProject({ agent: 'true\n' }), [
    { id: 'sh-1', title: 'Add a retry to the uploader', priority: 0 },
    { id: 'sh-2', title: hostile, priority: 0 },
    { id: 'sh-3', title: 'Poetry in the logs', priority: 0 },
    { id: 'sh-4', title: 'Described by a stranger', priority: 4, description: described },
    ...beads,
  ])
  await world.addProject('other', shellProject({ agent: 'true\n' }), [{ id: 'ot-1', title: 'Elsewhere' }])
  return world
}

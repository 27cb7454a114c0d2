import type { AddingView } from '@beadloom/core/api/projects/adding-api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { ApiFailure } from '../../api/client.ts'
import { addProject, getAdding, getProjects } from '../../api/endpoints.ts'
import { modelNoteOf } from '../../components/bead/run/agent-words.ts'
import { isDemo } from '../../feed/demo.ts'
import { useHome } from '../../feed/feed-context.tsx'
import look from '../../ui/button.module.css'
import { Button } from '../../ui/button.tsx'
import { usePageTitle } from '../../ui/page-title.ts'
import { toast, toastError } from '../../ui/toast.tsx'
import { useSending } from '../../ui/use-sending.ts'
import { useProjectCounts } from '../shell/project-counts.ts'
import { FirstStepList } from '../system/first-step-list.tsx'
import { AddingProgress } from './adding-progress.tsx'
import { followAdding } from './follow-adding.ts'
import css from './setup-page.module.css'

/** The first-run screen: what is in place, what is missing, and the form that adds a project. */
export function SetupPage() {
  const { view } = useHome()
  usePageTitle('Setup')
  const counts = useProjectCounts(true)
  const projects = [...(view?.projects.values() ?? [])]
  return (
    <div className={css['page']}>
      <header>
        <h1>{view !== null && projects.length === 0 ? 'Add your first project' : 'Setup and projects'}</h1>
        <p className={css['lead']}>
          Beadloom runs a coding agent on each bead of a project in its own container, verifies the result and publishes
          the branch.
        </p>
      </header>
      <section aria-labelledby="checks">
        <h2 id="checks">First steps</h2>
        <FirstStepList />
        <p className={css['more']}>
          More diagnostics: <Link to="/system">Server and connection</Link>.
        </p>
      </section>
      <div className={css['cards']}>
        <section className={css['card']} aria-labelledby="add">
          <h2 id="add">Add a project</h2>
          <AddProjectForm />
          <p className={css['or']}>or in a terminal</p>
          <pre className={css['line']}>npx beadloom project add ~/code/my-library</pre>
        </section>
        <DemoCard demo={projects.find(isDemo)} />
      </div>
      {projects.length > 0 && (
        <section aria-labelledby="projects">
          <h2 id="projects">Projects</h2>
          <ul className={css['projects']}>
            {projects.map((project) => (
              <li key={project.id}>
                <Link to="/p/$project" params={{ project: project.id }}>
                  {project.name}
                </Link>
                <span className={css['source']}>{project.source}</span>
                <span className={css['note']}>
                  {project.problem ?? modelNoteOf(project) ?? countsText(counts.get(project.id) ?? project.beadCounts)}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

/** An explanation of the demo with a link to it, or with how to get it. */
function DemoCard({ demo }: { demo: ProjectView | undefined }) {
  return (
    <section className={css['card']} aria-labelledby="demo">
      <h2 id="demo">Try the demo</h2>
      <p className={css['says']}>
        A small library with seven beads: features, a bug that takes two attempts, a plan in three phases, a question
        for you. Recorded runs, no AI and no key; containers, commits, tests and merges are real.
      </p>
      {demo ? (
        <Link to="/p/$project" params={{ project: demo.id }} className={`${look['button']} ${css['open']}`}>
          Open the demo
        </Link>
      ) : (
        <>
          <p className={css['or']}>A server with an empty data folder starts with it:</p>
          <pre className={css['line']}>npx beadloom start --data /tmp/beadloom-demo</pre>
        </>
      )}
    </section>
  )
}

const countsText = ({ open, done }: ProjectView['beadCounts']): string => `${open} open, ${done} done`

const focusOnce = (input: HTMLInputElement | null) => input?.focus()

const never = new AbortController().signal

/** Whether the component is still on the page, for work that ends later. */
function useIsThere() {
  const isThere = useRef(false)
  useEffect(() => {
    isThere.current = true
    return () => void (isThere.current = false)
  }, [])
  return isThere
}

function AddProjectForm() {
  const navigate = useNavigate()
  const [source, setSource] = useState('')
  const [base, setBase] = useState<string | null>(null) // null: the server did not need to know
  const [own, setOwn] = useState<AddingView | null>(null)
  const { busy, problem, setProblem, send } = useSending()
  const isThere = useIsThere()
  const submit = () => {
    if (source.trim() === '') return setProblem('Enter the path of a git repository on this computer, or its URL.')
    void send(async () => {
      const named = base?.trim() ?? ''
      const body = { source: source.trim(), ...(named !== '' && { base: named }) }
      const project = await followAdding({
        source: body.source,
        add: () => addProject(body),
        adding: async () => (await getAdding(never)).items,
        projects: async () => (await getProjects(never)).items,
        tell: setOwn,
        wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      }).catch((error: unknown) => {
        if (error instanceof ApiFailure && error.code === 'repository_no_default_branch') setBase((now) => now ?? '')
        if (!isThere.current) toastError(error)
        throw error
      })
      const params = { project: project.id }
      // Adding may take minutes, and somebody who is elsewhere by then stays there.
      if (isThere.current) await navigate({ to: '/p/$project', params })
      const look = () => void navigate({ to: '/p/$project/settings', params, hash: 'found' })
      toast(`${project.name} was added.`, { action: { label: 'Show what was found', run: look } })
    })
  }
  const add = (
    <Button needs="admin" look="primary" type="submit" busy={busy}>
      {busy ? 'Adding…' : 'Add project'}
    </Button>
  )
  return (
    <form
      className={css['form']}
      data-unsaved={source !== '' || undefined}
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) submit()
      }}
    >
      <label htmlFor="source">Path or URL of the git repository</label>
      <div className={css['row']}>
        <input
          id="source"
          value={source}
          onChange={(event) => setSource(event.target.value)}
          placeholder="/home/you/code/my-library"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          aria-invalid={(problem !== null && base === null) || undefined}
          aria-describedby="source-note"
        />
        {base === null && add}
      </div>
      {base !== null && (
        <>
          <label htmlFor="base">Base branch</label>
          <div className={css['row']}>
            <input
              id="base"
              value={base}
              onChange={(event) => setBase(event.target.value)}
              placeholder="where work starts"
              spellCheck={false}
              autoComplete="off"
              autoCapitalize="off"
              // It appears because the server asked for it.
              ref={focusOnce}
              aria-invalid={problem !== null || undefined}
              aria-describedby="source-note"
            />
            {add}
          </div>
        </>
      )}
      {own !== null && <AddingProgress own={own} />}
      <p
        id="source-note"
        className={problem !== null ? css['error'] : css['note']}
        role={problem !== null ? 'alert' : undefined}
      >
        {problem !== null ? problem : 'Your own branches are not changed; results are pushed to new branches.'}
      </p>
    </form>
  )
}

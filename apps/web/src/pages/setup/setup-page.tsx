import { Link, useNavigate } from '@tanstack/react-router'
import { CircleCheck, CircleDashed, CircleX } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { ServerStatus } from '@beadloom/core/api.ts'
import { addProject } from '../../api/endpoints.ts'
import { useHome } from '../../feed/feed-context.tsx'
import { Button } from '../../ui/button.tsx'
import { usePageTitle } from '../../ui/page-title.ts'
import { bytesText } from '../../ui/time-text.ts'
import css from './setup-page.module.css'

/** The first-run screen: what is in place, what is missing, and how to add a project. */
export function SetupPage() {
  const { view } = useHome()
  usePageTitle('Set-up')
  const projects = [...(view?.projects.values() ?? [])]
  const status = view?.status ?? null
  return (
    <div className={css['page']}>
      <header>
        <h1>{projects.length === 0 ? 'Give Beadloom its first project' : 'Set-up and projects'}</h1>
        <p className={css['lead']}>
          Beadloom runs a coding agent on each bead of a project, in a container of its own, verifies the result and
          publishes the branch.
        </p>
      </header>
      <section aria-labelledby="checks">
        <h2 id="checks">What it needs</h2>
        <ul className={css['checks']}>
          <DockerCheck status={status} />
          <ModelCheck status={status} />
          <Check
            state={status === null ? null : status.disk.ok}
            title="Room on the disk"
            text={status === null ? 'asking the server' : `${bytesText(status.disk.freeBytes)} free`}
          />
          <Check
            state={projects.length > 0 ? true : null}
            title={
              projects.length > 0 ? `${projects.length} ${projects.length === 1 ? 'project' : 'projects'}` : 'A project'
            }
            text={
              projects.length > 0
                ? 'Beads come from its .beads folder; bd and the dashboard see the same ones.'
                : 'Add one below.'
            }
          />
        </ul>
        <p className={css['more']}>
          The first steps, and everything else that can be looked at, are under{' '}
          <Link to="/system">Server and connection</Link>.
        </p>
      </section>
      <section aria-labelledby="add">
        <h2 id="add">Add a project</h2>
        <AddProjectForm />
        <p className={css['or']}>or in a terminal</p>
        <pre className={css['line']}>npx beadloom project add ~/code/my-library</pre>
      </section>
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
                  {project.problem ??
                    project.modelNote ??
                    `${project.beadCounts.open} open, ${project.beadCounts.done} done`}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

function DockerCheck({ status }: { status: ServerStatus | null }) {
  return (
    <Check
      state={status === null ? null : status.docker.ok}
      title="Docker"
      text={status?.docker.text ?? 'asking the server'}
    >
      {status?.docker.weaker.map((line) => (
        <p key={line}>⚠ {line}</p>
      ))}
      {status && !status.docker.ok && (
        <p>
          <code>npx beadloom doctor</code> looks closer and says what to do.
        </p>
      )}
    </Check>
  )
}

function ModelCheck({ status }: { status: ServerStatus | null }) {
  const name = status?.model.name ?? null
  return (
    <Check
      state={status === null ? null : status.model.ok}
      title={name === null ? 'A model' : `Model: ${name}`}
      text={name === 'scripted' ? 'replays a recorded scenario; no AI' : (status?.model.text ?? 'asking the server')}
    >
      {name === 'scripted' && (
        <p>
          For a real one set <code>OPENAI_API_KEY</code> (and <code>OPENAI_BASE_URL</code> for another provider), start
          the server again, and name the model in <code>beadloom.json</code>.
        </p>
      )}
    </Check>
  )
}

type CheckProps = { state: boolean | null; title: string; text: string; children?: ReactNode }

function Check({ state, title, text, children }: CheckProps) {
  const [Icon, word, tone] =
    state === null
      ? ([CircleDashed, 'to do', css['todo']] as const)
      : state
        ? ([CircleCheck, 'ok', css['ok']] as const)
        : ([CircleX, 'not ok', css['bad']] as const)
  return (
    <li className={css['check']}>
      <span className={tone}>
        <Icon size={20} strokeWidth={1.5} aria-hidden />
        <span className="visually-hidden">{word}: </span>
      </span>
      <div>
        <h3>{title}</h3>
        <p>{text}</p>
        {children}
      </div>
    </li>
  )
}

function AddProjectForm() {
  const navigate = useNavigate()
  const [source, setSource] = useState('')
  const [state, setState] = useState<{ is: 'idle' } | { is: 'sending' } | { is: 'failed'; message: string }>({
    is: 'idle',
  })
  const submit = async () => {
    if (source.trim() === '') {
      setState({ is: 'failed', message: 'Give the path of a git repository on this computer, or its URL.' })
      return
    }
    setState({ is: 'sending' })
    try {
      const project = await addProject({ source: source.trim() })
      await navigate({ to: '/p/$project', params: { project: project.id } })
    } catch (error) {
      setState({ is: 'failed', message: error instanceof Error ? error.message : String(error) })
    }
  }
  return (
    <form
      className={css['form']}
      onSubmit={(event) => {
        event.preventDefault()
        if (state.is !== 'sending') void submit()
      }}
    >
      <label htmlFor="source">Path or URL of its git repository</label>
      <div className={css['row']}>
        <input
          id="source"
          value={source}
          onChange={(event) => setSource(event.target.value)}
          placeholder="/home/you/code/my-library"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          aria-invalid={state.is === 'failed' || undefined}
          aria-describedby="source-note"
        />
        <Button look="primary" type="submit" busy={state.is === 'sending'}>
          {state.is === 'sending' ? 'Adding…' : 'Add project'}
        </Button>
      </div>
      <p
        id="source-note"
        className={state.is === 'failed' ? css['error'] : css['note']}
        role={state.is === 'failed' ? 'alert' : undefined}
      >
        {state.is === 'failed'
          ? state.message
          : 'The repository is only read; results are pushed to branches of their own.'}
      </p>
    </form>
  )
}

import { foundRows } from '@beadloom/core/views/found-rows.ts'
import { useQuery } from '@tanstack/react-query'
import { getEnvironment } from '../../api/settings.ts'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/clipboard.ts'
import { shown } from '../../ui/text/hostile-text.ts'
import { toast, toastError } from '../../ui/toast.tsx'
import found from './found-section.module.css'
import css from './settings-page.module.css'

/** The project's needs according to the repository's files, each with its place, and a proposal of `beadloom.json`. */
export function FoundSection({ project }: { project: string }) {
  const query = useQuery({
    queryKey: ['environment', project],
    queryFn: ({ signal }) => getEnvironment(project, signal),
  })
  const view = query.data
  const rows = view === undefined ? [] : foundRows(view)
  const proposal = view === undefined || view.configured ? {} : view.proposal.config
  const json = JSON.stringify(proposal, null, 2)
  return (
    <section id="found" className={css['section']} aria-labelledby="found-title">
      <h2 id="found-title">Found in the files</h2>
      <p className={`${css['muted']} ${found['about']}`}>
        {view?.configured === true
          ? 'Read from the repository’s files. beadloom.json overrides all of it.'
          : 'Read from the repository’s files, with the values that executions use. Correct them above, on this server, or in a beadloom.json.'}
      </p>
      {query.isPending && <p className={css['muted']}>Loading…</p>}
      {query.error && view === undefined && (
        <p role="alert" className={css['problem']}>
          It could not be loaded: {shown(query.error.message)}{' '}
          <Button onClick={() => void query.refetch()}>Try again</Button>
        </p>
      )}
      {view !== undefined && rows.length === 0 && <p className={css['muted']}>Nothing was found.</p>}
      {rows.length > 0 && (
        <ul className={css['card']}>
          {rows.map(({ what, text, from }, at) => (
            // eslint-disable-next-line react/no-array-index-key -- a repository may say the same twice
            <li key={at} className={found['row']}>
              <span className={found['kind']}>{what}</span>
              <span>{shown(text)}</span>
              {from !== null && <span className={found['from']}>{shown(from)}</span>}
            </li>
          ))}
        </ul>
      )}
      {Object.keys(proposal).length > 0 && (
        <>
          <p className={found['proposed']}>
            <span>
              A beadloom.json could say this. <code>beadloom environment {shown(project)} --write</code> writes it into
              a working tree.
            </span>
            <Button
              onClick={() =>
                void copyText(Promise.resolve(`${json}\n`)).then(() => toast('Proposal copied'), toastError)
              }
            >
              Copy
            </Button>
          </p>
          <pre className={found['proposal']} tabIndex={0} aria-label="Proposed beadloom.json">
            {shown(json)}
          </pre>
        </>
      )}
    </section>
  )
}

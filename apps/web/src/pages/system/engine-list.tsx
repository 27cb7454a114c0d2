import type { SystemEngine, SystemNode } from '@beadloom/core/api/system-api.ts'
import css from './system-page.module.css'
import { shown } from '../../ui/hostile-text.ts'
import { bytesText, countOf } from '../../ui/count-text.ts'
import page from '../../ui/facts-page.module.css'

/** Engines beside the server's own, each with its machines. */
export function EngineList({ engines }: { engines: readonly SystemEngine[] }) {
  return engines
    .filter(({ name }) => name !== 'local')
    .map(({ name, ok, text, where, weaker, containers, nodes }) => (
      <div key={name} className={css['engine']}>
        <h3>{shown(name)}</h3>
        <p>
          {ok ? '✓' : '✕'} {shown(text)}
        </p>
        {where !== null && (
          <p className={page['muted']}>
            {shown(where)}, {countOf(containers, 'container')} of this server
          </p>
        )}
        {weaker.map((line) => (
          <p key={line} className={page['muted']}>
            ⚠ {shown(line)}
          </p>
        ))}
        {nodes !== null && nodes.length > 0 && <NodeTable engine={name} nodes={nodes} />}
      </div>
    ))
}

function NodeTable({ engine, nodes }: { engine: string; nodes: readonly SystemNode[] }) {
  return (
    <div className={css['scroll']} tabIndex={0} role="group" aria-label={`Nodes of ${shown(engine)}`}>
      <table className={css['table']}>
        <caption>{countOf(nodes.length, 'node')}</caption>
        <thead>
          <tr>
            <th scope="col">Node</th>
            <th scope="col">Containers</th>
            <th scope="col">CPUs</th>
            <th scope="col">Memory</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {nodes.map(({ name, ok, why, containers, cpus, memoryBytes }) => (
            <tr key={name}>
              <td>
                <code>{shown(name)}</code>
              </td>
              <td>{containers}</td>
              <td>{cpus}</td>
              <td>{bytesText(memoryBytes)}</td>
              <td>{ok ? 'ready' : shown(why)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

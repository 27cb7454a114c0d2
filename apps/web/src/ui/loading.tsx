import css from './loading.module.css'

/**
 * Placeholder lines while something loads, and after a while words that say what. It appears only after a moment, so
 * fast answers do not flicker.
 */
export const Loading = ({ what }: { what: string }) => (
  <div className={css['loading']} aria-busy="true">
    <div className={css['lines']} aria-hidden>
      {widths.map((width) => (
        <div key={width} style={{ inlineSize: `${width}%` }} />
      ))}
    </div>
    <p>Loading {what}…</p>
  </div>
)

const widths = [38, 72, 64, 80, 47]

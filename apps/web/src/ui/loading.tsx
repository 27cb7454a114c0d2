import css from './loading.module.css'

/**
 * Something is loading: lines where it will appear, and after a while what it is, in words. Shown only after a moment, so
 * that what is there at once does not flicker.
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

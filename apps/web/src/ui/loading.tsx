import css from './loading.module.css'

/** That something is on its way. It shows only after a moment, so that what is there at once does not flicker. */
export const Loading = ({ what }: { what: string }) => (
  <p className={css['loading']} aria-busy="true">
    Loading {what} …
  </p>
)

// In development every component expects these functions of React Refresh, which a worker does not have.
if (import.meta.env.DEV) {
  Object.assign(self, { window: self, $RefreshReg$: () => {}, $RefreshSig$: () => (type: unknown) => type });
}

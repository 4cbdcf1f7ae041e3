// In development React Refresh comes with every component and looks for these, which a worker has not.
if (import.meta.env.DEV) {
  Object.assign(self, { window: self, $RefreshReg$: () => {}, $RefreshSig$: () => (type: unknown) => type });
}

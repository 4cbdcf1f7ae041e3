/** The password of every user that a test does not register by hand. */
export const PASSWORD = "correct horse battery";

/** Its hash at the lowest cost: logging in with it takes no time. The app reads the cost from the hash. */
export const PASSWORD_HASH = "$scrypt$ln=1,r=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$yt97JvvKZhbS8uSi7C5+7MnP1Wx0IqvrRd/oWuvofcY";

/// The version that status and introspection tell.
public enum ServiceVersion {
    /// Major, minor and patch, as in semver.org.
    public static let text = "0.1.0"
}
